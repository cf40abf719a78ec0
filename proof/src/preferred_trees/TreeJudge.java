import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.LexerInterpreter;
import org.antlr.v4.runtime.ParserInterpreter;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.RuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.antlr.v4.tool.Grammar;

/**
 * Answers each text with the tree that ANTLR's own runtime builds, without generating a parser for each grammar.
 *
 * <p>A question is a combined grammar, a start rule and a number of texts, each string with its length in bytes. A tree is
 * written as its rules in parentheses with a dot for each token; other answers are "reject", "fail" and "refused".
 */
public final class TreeJudge {
  private static final long STACK_BYTES = 256L << 20;

  private static final class Errors extends BaseErrorListener {
    private int count;

    @Override
    public void syntaxError(
        Recognizer<?, ?> by, Object symbol, int line, int column, String text, RecognitionException cause) {
      count++;
    }
  }

  private static void outline(ParseTree tree, String[] rules, StringBuilder out) {
    if (tree instanceof TerminalNode) {
      if (((TerminalNode) tree).getSymbol().getType() != Token.EOF) out.append('.');
      return;
    }
    out.append('(').append(rules[((RuleContext) tree).getRuleIndex()]).append(' ');
    for (int i = 0; i < tree.getChildCount(); i++) outline(tree.getChild(i), rules, out);
    out.append(')');
  }

  private static String answer(Grammar grammar, String start, String text) {
    try {
      Errors errors = new Errors();
      LexerInterpreter lexer = grammar.createLexerInterpreter(CharStreams.fromString(text));
      lexer.removeErrorListeners();
      lexer.addErrorListener(errors);
      CommonTokenStream tokens = new CommonTokenStream(lexer);
      ParserInterpreter parser = grammar.createParserInterpreter(tokens);
      parser.removeErrorListeners();
      parser.addErrorListener(errors);
      ParseTree tree = parser.parse(grammar.getRule(start).index);
      if (errors.count > 0 || tokens.LA(1) != Token.EOF) return "reject";
      StringBuilder out = new StringBuilder();
      outline(tree, parser.getRuleNames(), out);
      return out.toString();
    } catch (RuntimeException failure) {
      return "fail " + failure;
    }
  }

  private static String read(DataInputStream in) throws IOException {
    return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
  }

  private static void serve(PrintStream out) throws IOException {
    DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
    while (true) {
      String text = read(in);
      String start = read(in);
      Grammar grammar = null;
      try {
        grammar = new Grammar(text);
        if (grammar.tool.errMgr.getNumErrors() > 0) grammar = null;
      } catch (Exception refusal) {
        grammar = null;
      }
      for (int left = in.readInt(); left > 0; left--) {
        String input = read(in);
        out.println(grammar == null ? "refused" : answer(grammar, start, input));
      }
      out.flush();
    }
  }

  public static void main(String[] names) throws Exception {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    Thread worker = new Thread(null, () -> {
      try {
        serve(out);
      } catch (EOFException end) {
        out.flush();
      } catch (IOException failure) {
        System.exit(1);
      }
    }, "judge", STACK_BYTES);
    worker.start();
    worker.join();
  }
}
