// A harness for Node: reads tests, answers each with a line. Replace JSON.parse by what is under test.
const fs = require("fs");
let bytes = Buffer.alloc(0);
process.stdin.on("data", chunk => {
  bytes = Buffer.concat([bytes, chunk]);
  while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32LE(0)) {
    const end = 4 + bytes.readUInt32LE(0);
    const test = bytes.subarray(4, end).toString();
    bytes = bytes.subarray(end);
    let answer = "accept";
    try { JSON.parse(test); } catch (error) { answer = "reject " + error.message.replaceAll("\n", " "); }
    fs.writeSync(1, answer + "\n");
  }
});
