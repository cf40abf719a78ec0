import java.util.function.Consumer;
import org.mozilla.javascript.CompilerEnvirons;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Parser;

/** Reads JavaScript with Rhino, prints its tree, and compiles it for the interpreter. */
public final class RhinoDriver implements Consumer<String> {
    @Override
    public void accept(String text) {
        Context context = Context.enter();
        try {
            context.setOptimizationLevel(-1);
            context.setLanguageVersion(Context.VERSION_ES6);
            CompilerEnvirons environment = new CompilerEnvirons();
            environment.initFromContext(context);
            new Parser(environment).parse(text, "input", 1).toSource();
            context.compileString(text, "input", 1, null);
        } finally {
            Context.exit();
        }
    }
}
