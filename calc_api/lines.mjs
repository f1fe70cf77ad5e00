/**
 * Requests as lines of an input, their answers as lines of an output, in the same order.
 *
 * A line is what POST /calculate takes and gives; a request that cannot be answered gets a line
 * `{"error": …}`. Empty lines are passed over.
 */
import {MOST_BODY_BYTES, calculate, tooLarge} from './requests.mjs';

const NEWLINE = 10;

function told(line) {
  try {
    if (line === null) throw tooLarge();
    return calculate(line);
  } catch (error) {
    return {error: error.message};
  }
}

export function answerLines(input, output) {
  let parts = [];
  let size = 0;

  function take(part) {
    size += part.length;
    // The rest of a line that is too long is passed over, not kept.
    if (size <= MOST_BODY_BYTES) parts.push(part);
    else parts = [];
  }

  function end() {
    const line = size > MOST_BODY_BYTES ? null : parts.length === 1 ? parts[0] : Buffer.concat(parts);
    if (size) output.write(`${JSON.stringify(told(line))}\n`);
    parts = [];
    size = 0;
  }

  input.on('data', chunk => {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, at));
      end();
      start = at + 1;
    }
    if (start < chunk.length) take(chunk.subarray(start));
  });
}
