import java.util.function.Consumer;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;

/** Reads CSV with commons-csv and writes it again. */
public final class CommonsCsvDriver implements Consumer<String> {
    @Override
    public void accept(String text) {
        StringBuilder copy = new StringBuilder();
        try (CSVParser parser = CSVParser.parse(text, CSVFormat.RFC4180);
                CSVPrinter printer = new CSVPrinter(copy, CSVFormat.DEFAULT)) {
            for (CSVRecord record : parser) {
                record.isConsistent();
                printer.printRecord(record);
            }
        } catch (Exception error) {
            throw new IllegalArgumentException(error);
        }
    }
}
