/** A request's body to the document that answers it; the same over HTTP and over a line. */
import {answer} from './answer.mjs';
import {QueryProblem, checkedQuery, sharedLists} from './query.mjs';

export const MOST_BODY_BYTES = 8 * 1024 * 1024;
const MOST_QUERIES = 4096;

/** A request that cannot be answered at all: the HTTP status that says so, and why. */
export class RequestProblem extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export function tooLarge() {
  return new RequestProblem(413, `a request holds at most ${MOST_BODY_BYTES} bytes`);
}

function queriesOf(body) {
  let document;
  try {
    document = JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new RequestProblem(400, `the body is not JSON: ${error.message}`);
  }
  const {queries, combatants = [], fields = []} = document ?? {};
  if (!Array.isArray(queries)) throw new RequestProblem(400, 'the body must be {"queries": […]}');
  if (!Array.isArray(combatants) || !Array.isArray(fields)) {
    throw new RequestProblem(400, 'combatants and fields must be lists');
  }
  if (queries.length > MOST_QUERIES) {
    throw new RequestProblem(413, `a request holds at most ${MOST_QUERIES} queries`);
  }
  return {queries, shared: sharedLists(combatants, fields)};
}

function answerOne(value, shared) {
  try {
    return answer(checkedQuery(value, shared));
  } catch (error) {
    if (error instanceof QueryProblem) {
      return {error: {field: error.field, message: error.message, nearest: error.nearest}};
    }
    // The calculator itself failed on this entry: the others must still be answered.
    return {error: {field: 'query', message: `the calculator failed: ${error.message}`, nearest: null}};
  }
}

/** `{"answers": […]}` for a body; throws a RequestProblem for one that is no request. */
export function calculate(body) {
  const {queries, shared} = queriesOf(body);
  return {answers: queries.map(query => answerOne(query, shared))};
}
