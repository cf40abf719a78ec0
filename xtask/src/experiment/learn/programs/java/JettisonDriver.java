import java.util.function.Consumer;
import org.codehaus.jettison.json.JSONArray;
import org.codehaus.jettison.json.JSONObject;
import org.codehaus.jettison.json.JSONTokener;

/** Reads JSON with jettison and writes it again. */
public final class JettisonDriver implements Consumer<String> {
    @Override
    public void accept(String text) {
        try {
            Object value = new JSONTokener(text).nextValue();
            if (value instanceof JSONObject) {
                ((JSONObject) value).toString(2);
            } else if (value instanceof JSONArray) {
                ((JSONArray) value).toString(2);
            }
        } catch (Exception error) {
            throw new IllegalArgumentException(error);
        }
    }
}
