/**
 * The damage-calculator service: HTTP on loopback over @smogon/calc, generation 8.
 *
 *   node server.mjs [PORT]     PORT 0 or none: a free one
 *
 * Prints one JSON line `{"port": …}` when it is ready. Ends on SIGTERM and when its standard input
 * closes, so that it never outlives the process that started it.
 *
 *   GET  /health      {"status": "ok", "calculator": "@smogon/calc 0.12.0"}
 *   POST /calculate   {"queries": [query, …]} → {"answers": [answer or {"error": …}, …]}
 *
 * A request may hold `combatants` and `fields` too: a query then names an entry of theirs by its
 * place (a number) where it would hold the object.
 */
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {answer} from './answer.mjs';
import {QueryProblem, checkedQuery, sharedLists} from './query.mjs';

const MOST_BODY_BYTES = 8 * 1024 * 1024;
const MOST_QUERIES = 4096;
const REQUEST_DEADLINE_MS = 30_000;

const require = createRequire(import.meta.url);
const calculator = `@smogon/calc ${require('@smogon/calc/package.json').version}`;

class RequestProblem extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function readBody(request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let size = 0;
    request.on('data', chunk => {
      size += chunk.length;
      if (size > MOST_BODY_BYTES) {
        reject(new RequestProblem(413, `a request holds at most ${MOST_BODY_BYTES} bytes`));
        chunks.length = 0;
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
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

async function respond(request) {
  const route = `${request.method} ${request.url.split('?', 1)[0]}`;
  if (route === 'GET /health') return {status: 'ok', calculator};
  if (route === 'POST /calculate') {
    const {queries, shared} = queriesOf(await readBody(request));
    return {answers: queries.map(query => answerOne(query, shared))};
  }
  throw new RequestProblem(404, `there is no ${route}: use GET /health or POST /calculate`);
}

const server = createServer(async (request, response) => {
  let status = 200;
  let document;
  try {
    document = await respond(request);
  } catch (error) {
    status = error instanceof RequestProblem ? error.status : 500;
    document = {error: error.message};
    // What is left of a refused body must not be read as the connection's next request.
    if (!request.complete) response.setHeader('connection', 'close');
  }
  const body = Buffer.from(JSON.stringify(document));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
});
server.keepAliveTimeout = 300_000;
server.headersTimeout = REQUEST_DEADLINE_MS;
server.requestTimeout = REQUEST_DEADLINE_MS;

const port = Number(process.argv[2] ?? 0);
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  console.error(`the port must be a whole number from 0 to 65535, not ${process.argv[2]}`);
  process.exit(2);
}
server.on('error', error => {
  console.error(`cannot listen on 127.0.0.1:${port}: ${error.message}`);
  process.exit(3);
});
server.listen(port, '127.0.0.1', () => {
  console.log(JSON.stringify({port: server.address().port}));
});

process.on('SIGTERM', () => process.exit(0));
process.stdin.on('error', () => process.exit(0));
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();
