import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.IMethodCoverage;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.SessionInfoStore;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.IRuntime;
import org.jacoco.core.runtime.LoggerRuntime;
import org.jacoco.core.runtime.RuntimeData;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Runs a Java library on many inputs and says after each what it covered. Coverage is JaCoCo's, reset before each input;
 * calls are counted at the entry of each method.
 *
 * Reads four bytes with the length of an input, the lowest first, then the input; answers with a line, {@code accept} or
 * {@code reject} and JSON. usage: Harness functions|branches|verdicts DRIVER DRIVER_FOLDER MEASURED_JAR[:OTHER_JARS]
 */
public final class Harness {
    /** Calls since the last input, by the number of the method. */
    public static long[] calls = new long[1 << 16];

    public static void hit(int method) {
        calls[method]++;
    }

    /** The names of all methods, by number. */
    static final List<String> methods = new ArrayList<>();

    /** Loads the classes of the library with probes and counters, and the driver without. */
    static final class Loader extends ClassLoader {
        final Map<String, byte[]> measured = new HashMap<>();
        final Map<String, byte[]> counted = new HashMap<>();
        final Map<String, byte[]> others = new HashMap<>();
        final Instrumenter instrumenter;

        Loader(IRuntime runtime, String driver, File drivers, String[] jars) throws IOException {
            super(Harness.class.getClassLoader());
            instrumenter = new Instrumenter(runtime);
            for (int at = 0; at < jars.length; at++) {
                read(new File(jars[at]), at == 0 ? measured : others);
            }
            try (var files = Files.list(drivers.toPath())) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    String name = file.getFileName().toString();
                    if (name.startsWith(driver) && name.endsWith(".class")) {
                        others.put(name.substring(0, name.length() - 6), Files.readAllBytes(file));
                    }
                }
            }
        }

        static void read(File jar, Map<String, byte[]> into) throws IOException {
            try (JarFile file = new JarFile(jar)) {
                for (var entry : (Iterable<java.util.jar.JarEntry>) file.stream()::iterator) {
                    String name = entry.getName();
                    if (name.endsWith(".class") && !name.startsWith("META-INF") && !name.equals("module-info.class")) {
                        try (InputStream content = file.getInputStream(entry)) {
                            String type = name.substring(0, name.length() - 6).replace('/', '.');
                            into.put(type, content.readAllBytes());
                        }
                    }
                }
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known == null && (measured.containsKey(name) || others.containsKey(name))) {
                    known = define(name);
                }
                return known == null ? super.loadClass(name, resolve) : known;
            }
        }

        Class<?> define(String name) throws ClassNotFoundException {
            byte[] bytes = others.get(name);
            if (bytes == null) {
                bytes = count(measured.get(name));
                counted.put(name, bytes);
                try {
                    bytes = instrumenter.instrument(bytes, name);
                } catch (IOException error) {
                    throw new ClassNotFoundException(name, error);
                }
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    /** Adds a counter to the entry of each method. */
    static byte[] count(byte[] type) {
        ClassReader reader = new ClassReader(type);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String sign, String[] thrown) {
                MethodVisitor next = super.visitMethod(access, name, descriptor, sign, thrown);
                boolean hasCode = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
                if (!hasCode || name.startsWith("<")) {
                    return next;
                }
                int number = methods.size();
                methods.add(reader.getClassName() + "." + name + descriptor);
                return new MethodVisitor(Opcodes.ASM9, next) {
                    @Override
                    public void visitCode() {
                        super.visitCode();
                        super.visitLdcInsn(number);
                        super.visitMethodInsn(Opcodes.INVOKESTATIC, "Harness", "hit", "(I)V", false);
                    }
                };
            }
        }, 0);
        return writer.toByteArray();
    }

    /** What is covered of a class, by its probes: most inputs take few ways through it. */
    static final Map<String, List<String>> known = new HashMap<>();

    static List<String> covered(Loader loader, ExecutionData data, boolean branches) throws IOException {
        String key = data.getId() + Arrays.toString(data.getProbes());
        List<String> found = known.get(key);
        if (found != null) {
            return found;
        }
        ExecutionDataStore store = new ExecutionDataStore();
        store.put(data);
        CoverageBuilder builder = new CoverageBuilder();
        String name = data.getName().replace('/', '.');
        new Analyzer(store, builder).analyzeAll(new ByteArrayInputStream(loader.counted.get(name)), name);
        found = new ArrayList<>();
        for (IClassCoverage type : builder.getClasses()) {
            for (IMethodCoverage method : type.getMethods()) {
                if (!branches && method.getMethodCounter().getCoveredCount() > 0 && !method.getName().startsWith("<")) {
                    found.add(type.getName() + "." + method.getName() + method.getDesc());
                }
            }
            for (int line = type.getFirstLine(); branches && line >= 0 && line <= type.getLastLine(); line++) {
                int taken = type.getLine(line).getBranchCounter().getCoveredCount();
                for (int number = 1; number <= taken; number++) {
                    found.add(type.getName() + ":" + line + "#" + number);
                }
            }
        }
        known.put(key, found);
        return found;
    }

    /** Why the last input was rejected. */
    static String reason = "";

    static String run(Consumer<String> reader, String text) {
        try {
            reader.accept(text);
            return "accept";
        } catch (Exception | StackOverflowError error) {
            Throwable cause = error.getCause() == null ? error : error.getCause();
            reason = (cause.getClass().getSimpleName() + ": " + cause.getMessage()).replaceAll("\\s+", " ");
            return "reject";
        }
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] arguments) throws Exception {
        boolean branches = arguments[0].equals("branches");
        IRuntime runtime = new LoggerRuntime();
        RuntimeData data = new RuntimeData();
        runtime.startup(data);
        Loader loader = new Loader(runtime, arguments[1], new File(arguments[2]), arguments[3].split(":"));
        Thread.currentThread().setContextClassLoader(loader);
        var driver = loader.loadClass(arguments[1]).getDeclaredConstructor();
        DataInputStream in = new DataInputStream(System.in);
        PrintStream out = System.out;
        System.setOut(System.err);
        while (true) {
            int first = in.read();
            if (first < 0) {
                System.exit(0);
            }
            int length = first | in.read() << 8 | in.read() << 16 | in.read() << 24;
            String text = new String(in.readNBytes(length), StandardCharsets.UTF_8);
            // The first run loads classes and fills caches, which says nothing about the input.
            run((Consumer<String>) driver.newInstance(), text);
            Arrays.fill(calls, 0, methods.size(), 0);
            data.reset();
            String answer = run((Consumer<String>) driver.newInstance(), text);
            if (arguments[0].equals("verdicts")) {
                out.println(answer.equals("accept") ? answer : answer + " " + reason);
                out.flush();
                continue;
            }
            ExecutionDataStore store = new ExecutionDataStore();
            data.collect(store, new SessionInfoStore(), false);
            TreeSet<String> covered = new TreeSet<>();
            for (ExecutionData of : store.getContents()) {
                if (of.hasHits()) {
                    covered.addAll(covered(loader, of, branches));
                }
            }
            TreeMap<String, Long> counts = new TreeMap<>();
            for (int method = 0; method < methods.size() && !branches; method++) {
                if (calls[method] > 0 && covered.contains(methods.get(method))) {
                    counts.merge(methods.get(method), calls[method], Long::sum);
                }
            }
            StringBuilder line = new StringBuilder(answer).append(" {\"covered\":[");
            String separator = "";
            for (String name : covered) {
                line.append(separator).append('"').append(name).append('"');
                separator = ",";
            }
            line.append("],\"calls\":{");
            separator = "";
            for (var entry : counts.entrySet()) {
                line.append(separator).append('"').append(entry.getKey()).append("\":").append(entry.getValue());
                separator = ",";
            }
            out.println(line.append("}}"));
            out.flush();
        }
    }
}
