[ -s "$COVERAGE/jacoco.exec" ] || { echo 'the agent wrote no data: name its jar with JACOCO_AGENT' >&2; exit 1; }
mkdir -p "$COVERAGE/classes"
if [ -n "$JACOCO_CLI" ]; then
  java -jar "$JACOCO_CLI" report "$COVERAGE/jacoco.exec" --classfiles "$COVERAGE/classes" --xml "$COVERAGE/report.xml" >&2 &&
  cat "$COVERAGE/report.xml"
  exit
fi
jars="${JACOCO_JARS:-/usr/share/java}"
cat > "$COVERAGE/Export.java" <<'JAVA'
import java.io.File;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.tools.ExecFileLoader;
import org.jacoco.report.IReportVisitor;
import org.jacoco.report.xml.XMLFormatter;

public class Export {
    public static void main(String[] arguments) throws Exception {
        ExecFileLoader loader = new ExecFileLoader();
        loader.load(new File(arguments[0]));
        CoverageBuilder builder = new CoverageBuilder();
        new Analyzer(loader.getExecutionDataStore(), builder).analyzeAll(new File(arguments[1]));
        IReportVisitor visitor = new XMLFormatter().createVisitor(System.out);
        visitor.visitInfo(loader.getSessionInfoStore().getInfos(), loader.getExecutionDataStore().getContents());
        visitor.visitBundle(builder.getBundle("run"), null);
        visitor.visitEnd();
    }
}
JAVA
path="$jars/org.jacoco.core.jar:$jars/org.jacoco.report.jar"
for jar in asm asm-commons asm-tree asm-analysis; do path="$path:$jars/$jar.jar"; done
java -cp "$path" "$COVERAGE/Export.java" "$COVERAGE/jacoco.exec" "$COVERAGE/classes"
