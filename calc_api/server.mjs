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
 *
 * The process that started it may ask without HTTP, which costs it a fraction: see `lines.mjs`.
 */
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {answerLines} from './lines.mjs';
import {MOST_BODY_BYTES, RequestProblem, calculate, tooLarge} from './requests.mjs';

const REQUEST_DEADLINE_MS = 30_000;

const require = createRequire(import.meta.url);
const calculator = `@smogon/calc ${require('@smogon/calc/package.json').version}`;

function readBody(request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let size = 0;
    request.on('data', chunk => {
      size += chunk.length;
      if (size > MOST_BODY_BYTES) {
        reject(tooLarge());
        chunks.length = 0;
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

async function respond(request) {
  const route = `${request.method} ${request.url.split('?', 1)[0]}`;
  if (route === 'GET /health') return {status: 'ok', calculator};
  if (route === 'POST /calculate') return calculate(await readBody(request));
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
process.stdout.on('error', () => process.exit(0));
answerLines(process.stdin, process.stdout);
