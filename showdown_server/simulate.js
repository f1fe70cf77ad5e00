/**
 * Simulates recorded battles again, with the same simulator as the server's.
 *
 *   node simulate.js < requests.jsonl > answers.jsonl
 *
 * Each line of stdin is {"id", "choices": [line, …]}, the choices being the simulator's input: the
 * `>start` line with the seed, both `>player` lines with the teams, every choice in order. Each
 * line of stdout is {"id", "log": [line, …], "winner", "turns", "ended"} or {"id", "error"}.
 */
'use strict';

const readline = require('readline');
const { BattleStream } = require('pokemon-showdown');
const { omniscientLines } = require('./battle_log.js');

async function simulate(choices) {
	// noCatch: a choice that the simulator refuses must be an error, not a log line of its own.
	const stream = new BattleStream({ noCatch: true, keepAlive: true });
	await stream.write(choices.join('\n'));
	const { battle } = stream;
	if (!battle) throw new Error('the choices have no >start line');
	const winner = battle.sides.find(side => side.name && side.name === battle.winner);
	const outcome = {
		log: omniscientLines(battle.log),
		winner: winner ? winner.id : null,
		turns: battle.turn,
		ended: battle.ended,
	};
	void stream.destroy();
	return outcome;
}

async function main() {
	for await (const line of readline.createInterface({ input: process.stdin })) {
		if (!line.trim()) continue;
		let id = null;
		let answer;
		try {
			const request = JSON.parse(line);
			id = request.id ?? null;
			answer = { id, ...(await simulate(request.choices)) };
		} catch (error) {
			answer = { id, error: error.message };
		}
		if (!process.stdout.write(`${JSON.stringify(answer)}\n`)) {
			await new Promise(resolve => process.stdout.once('drain', resolve));
		}
	}
}

main();
