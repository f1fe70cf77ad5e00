/**
 * Starts the pinned Showdown server on loopback, with a run folder of its own.
 *
 *   node --preserve-symlinks --preserve-symlinks-main start.js --folder=DIR [--port=0]
 *        [--simulators=1]
 *
 * Prints one JSON line {"ready": true, "port": N, "pid": N} when it takes connections; all other
 * output goes to stderr. Exits on SIGTERM and when stdin is closed, so it never outlives the
 * process that started it. An interrupt from the keyboard is left to that process.
 *
 * The server looks for its config, logs and databases in its own package folder. So that two of
 * them never disturb each other, the run folder gets a root that links to the package's code, and
 * Node is told to keep such links (see the flags above).
 */
'use strict';

const fs = require('fs');
const path = require('path');
const { parseArgs } = require('util');
const { makeConfig } = require('./config.js');

function readOptions() {
	const { values } = parseArgs({
		options: {
			folder: { type: 'string' },
			port: { type: 'string', default: '0' },
			simulators: { type: 'string', default: '1' },
		},
	});
	const port = Number(values.port);
	const simulators = Number(values.simulators);
	if (!values.folder) throw new Error('--folder=DIR is missing');
	if (!Number.isInteger(port) || port < 0 || port > 65535) {
		throw new Error(`--port=${values.port} is not a port`);
	}
	if (!Number.isInteger(simulators) || simulators < 0) {
		throw new Error(`--simulators=${values.simulators} is not a number of processes`);
	}
	if (!process.execArgv.includes('--preserve-symlinks')) {
		throw new Error('node must be started with --preserve-symlinks --preserve-symlinks-main');
	}
	return { folder: path.resolve(values.folder), port, simulators };
}

function link(target, place) {
	fs.rmSync(place, { force: true });
	fs.symlinkSync(target, place);
}

/** Lay out the server's root in the run folder; its path. */
function layOutRoot({ folder, port, simulators }) {
	const modules = fs.realpathSync(path.join(__dirname, 'node_modules'));
	const root = path.join(folder, 'root');
	for (const name of ['config/chat-plugins', 'logs/repl', 'databases']) {
		fs.mkdirSync(path.join(root, name), { recursive: true });
	}
	link(modules, path.join(root, 'node_modules'));
	link(path.join(modules, 'pokemon-showdown', 'dist'), path.join(root, 'dist'));
	// The server reads config/config.js by itself, in every process it starts.
	const settings = JSON.stringify({ port, simulators });
	fs.writeFileSync(
		path.join(root, 'config', 'config.js'),
		`module.exports = require(${JSON.stringify(path.join(__dirname, 'config.js'))})` +
			`.makeConfig(${settings});\n`,
	);
	return root;
}

function leaveWithParent() {
	process.on('SIGTERM', () => process.exit(0));
	process.on('SIGINT', () => {});
	process.stdin.on('end', () => process.exit(0));
	process.stdin.on('close', () => process.exit(0));
	process.stdin.on('error', () => process.exit(0));
	process.stdin.resume();
}

/** Take connections from now on; the port. */
function listen(root) {
	Sockets.start(Config.subprocessescache);
	const { PM } = require(path.join(root, 'dist/server/sockets.js'));
	const { server } = PM.masterWorker.stream;
	return new Promise((resolve, reject) => {
		server.once('listening', () => resolve(server.address().port));
		server.once('error', reject);
	});
}

/**
 * Have the server and each simulator load the game's data now: the first battle would otherwise
 * block them for seconds on a busy machine, as if they were frozen.
 */
async function warmUp(root, simulators) {
	const { PM } = require(path.join(root, 'dist/server/room-battle.js'));
	const format = 'gen8randombattle';
	const start = [`>start ${JSON.stringify({ formatid: format, seed: 'sodium,00' })}`];
	for (const side of ['p1', 'p2']) {
		const team = Teams.pack(Teams.getGenerator(format, 'sodium,00').getTeam());
		start.push(`>player ${side} ${JSON.stringify({ name: side, team })}`);
	}
	// Each stream goes to the simulator with the fewest: one for each.
	const streams = Array.from({ length: Math.max(1, simulators) }, () => PM.createStream());
	await Promise.all(streams.map(async stream => {
		await stream.write(start.join('\n'));
		for await (const chunk of stream) {
			if (chunk.includes('|request|')) break;
		}
		await stream.destroy();
	}));
}

async function main() {
	const options = readOptions();
	const tell = process.stdout.write.bind(process.stdout);
	console.log = console.info = console.error;
	leaveWithParent();
	const root = layOutRoot(options);
	process.chdir(root);
	process.argv.length = 2; // the server would take a bare number among them for its port
	await require(path.join(root, 'dist/server/index.js')).readyPromise;
	Chat.loadPlugins();
	// The whole list, sent at each login, takes seconds to make: it loads every generation's rules.
	// The other formats can still be played, they are only not offered in a browser's menu.
	Rooms.global.formatList = '|formats|,1|Porimon|[Gen 8] Random Battle,f';
	await warmUp(root, options.simulators);
	const port = await listen(root);
	tell(`${JSON.stringify({ ready: true, port, pid: process.pid })}\n`);
}

main().catch(error => {
	console.error(error.code === 'EADDRINUSE' ? `the port is in use: ${error.message}` : error.stack);
	process.exit(1);
});
