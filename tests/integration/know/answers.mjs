// Answers queries twice: as the service does, from memory where it can, and reckoned anew.
//
// usage: node answers.mjs FOLDER-OF-THE-SERVICE
//
// Each line of the standard input is a JSON list of queries; each line of the output is a JSON list
// with a pair of texts for every query: what the service would answer, and what is right.
import {createInterface} from 'node:readline';

const folder = process.argv[2];
const {answer} = await import(`${folder}/answer.mjs`);
const {reckon} = await import(`${folder}/damage.mjs`);
const {checkedQuery} = await import(`${folder}/query.mjs`);

function told(work) {
  try {
    return JSON.stringify(work());
  } catch (error) {
    return JSON.stringify({error: error.message});
  }
}

for await (const line of createInterface({input: process.stdin})) {
  console.log(JSON.stringify(JSON.parse(line).map(query => [
    told(() => answer(checkedQuery(query))),
    told(() => reckon(checkedQuery(query)).answer),
  ])));
}
