import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.StringWriter;
import java.util.function.Consumer;

/** Reads JSON with jackson-core, asks for each value, and writes it again. */
public final class JacksonDriver implements Consumer<String> {
    private final JsonFactory factory = new JsonFactory();

    @Override
    public void accept(String text) {
        try (JsonParser parser = factory.createParser(text);
                JsonGenerator generator = factory.createGenerator(new StringWriter()).useDefaultPrettyPrinter()) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isNumeric()) {
                    parser.getNumberType();
                    parser.getDoubleValue();
                    parser.getDecimalValue();
                } else if (token == JsonToken.VALUE_STRING) {
                    parser.getText();
                } else if (token.isBoolean()) {
                    parser.getBooleanValue();
                }
                generator.copyCurrentEvent(parser);
            }
        } catch (Exception error) {
            throw new IllegalArgumentException(error);
        }
    }
}
