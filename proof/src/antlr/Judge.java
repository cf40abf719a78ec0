import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenStream;

/**
 * Says of each text whether ANTLR's own lexer and parser take all of it without an error.
 *
 * <p>Arguments: the classes of lexer and parser, the start rule, and "tree" if trees are to be built.
 * A text comes as its number of bytes and its bytes in UTF-8, and is answered by a line: the
 * nanoseconds that this thread ran from the string to the verdict, and "accept", or "reject" or "fail" with a reason.
 */
public final class Judge {
  /** Parsers that ANTLR writes call themselves for every level of nesting. */
  private static final long STACK_BYTES = 256L << 20;

  /** Of the time that other programs take on the same machine it knows nothing. */
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

  /** The first error by place: the lexer is ahead of the parser, so an error of its may be reported too soon. */
  private static final class FirstError extends BaseErrorListener {
    private String message;
    private int firstLine;
    private int firstColumn;

    @Override
    public void syntaxError(
        Recognizer<?, ?> by, Object symbol, int line, int column, String text, RecognitionException cause) {
      boolean isFirst = message == null || line < firstLine || (line == firstLine && column < firstColumn);
      if (!isFirst) return;
      firstLine = line;
      firstColumn = column;
      message = line + ":" + column + " " + text;
    }
  }

  private static String verdict(
      Constructor<?> lexers, Constructor<?> parsers, Method start, boolean withTree, String text)
      throws Exception {
    FirstError errors = new FirstError();
    Lexer lexer = (Lexer) lexers.newInstance(CharStreams.fromString(text));
    lexer.removeErrorListeners();
    lexer.addErrorListener(errors);
    CommonTokenStream tokens = new CommonTokenStream(lexer);
    Parser parser = (Parser) parsers.newInstance(tokens);
    parser.setBuildParseTree(withTree);
    parser.removeErrorListeners();
    parser.addErrorListener(errors);
    start.invoke(parser);
    if (errors.message != null) return "reject " + errors.message;
    Token next = tokens.LT(1);
    if (next.getType() == Token.EOF) return "accept";
    return "reject " + next.getLine() + ":" + next.getCharPositionInLine() + " the start rule ended here";
  }

  private static void serve(String[] names, PrintStream out) throws Exception {
    Class<?> parser = Class.forName(names[1]);
    Constructor<?> lexers = Class.forName(names[0]).getConstructor(CharStream.class);
    Constructor<?> parsers = parser.getConstructor(TokenStream.class);
    Method start = parser.getMethod(names[2]);
    boolean withTree = names.length > 3 && names[3].equals("tree");
    DataInputStream in = new DataInputStream(System.in);
    while (true) {
      int length = in.readInt();
      if (length < 0) return;
      String text = new String(in.readNBytes(length), StandardCharsets.UTF_8);
      String answer;
      long begin = CLOCK.getCurrentThreadCpuTime();
      try {
        answer = verdict(lexers, parsers, start, withTree, text);
      } catch (Exception failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        answer = "fail " + cause;
      }
      long time = CLOCK.getCurrentThreadCpuTime() - begin;
      out.println(time + " " + answer.replaceAll("\\p{Cntrl}", " "));
      out.flush();
    }
  }

  public static void main(String[] names) throws Exception {
    // Actions of grammars may print; only verdicts go out.
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    Thread worker = new Thread(null, () -> {
      try {
        serve(names, out);
      } catch (Exception failure) {
        failure.printStackTrace();
        System.exit(1);
      }
    }, "judge", STACK_BYTES);
    worker.start();
    worker.join();
  }
}
