import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.util.function.Consumer;

/** Reads JSON with gson, as a tree and as objects, and writes it again. */
public final class GsonDriver implements Consumer<String> {
    private final Gson plain = new Gson();
    private final Gson pretty = new GsonBuilder().setPrettyPrinting().serializeNulls().create();

    @Override
    public void accept(String text) {
        JsonElement tree = JsonParser.parseString(text);
        pretty.toJson(tree);
        plain.toJson(plain.fromJson(text, Object.class));
    }
}
