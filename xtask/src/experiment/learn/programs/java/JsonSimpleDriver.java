import java.io.StringReader;
import java.util.function.Consumer;
import org.json.simple.JSONValue;
import org.json.simple.parser.JSONParser;

/** Reads JSON with json-simple and writes it again. */
public final class JsonSimpleDriver implements Consumer<String> {
    @Override
    public void accept(String text) {
        try {
            JSONValue.toJSONString(new JSONParser().parse(new StringReader(text)));
        } catch (Exception error) {
            throw new IllegalArgumentException(error);
        }
    }
}
