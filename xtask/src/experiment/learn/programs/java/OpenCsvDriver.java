import com.opencsv.CSVReader;
import com.opencsv.CSVWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.function.Consumer;

/** Reads CSV with opencsv and writes it again. */
public final class OpenCsvDriver implements Consumer<String> {
    @Override
    public void accept(String text) {
        try (CSVReader reader = new CSVReader(new StringReader(text));
                CSVWriter writer = new CSVWriter(new StringWriter())) {
            for (String[] row : reader) {
                writer.writeNext(row, false);
            }
        } catch (Exception error) {
            throw new IllegalArgumentException(error);
        }
    }
}
