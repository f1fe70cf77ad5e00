/**
 * The settings of the Showdown server: loopback only, nothing kept, nobody else asked.
 *
 * Whatever is not set here has the server's own default (its config/config-example.js).
 */
'use strict';

const plugin = require('./plugin.js');

/** @param {{port: number, simulators: number}} options */
exports.makeConfig = function makeConfig({ port, simulators }) {
	return {
		port,
		bindaddress: '127.0.0.1',
		lazysockets: true, // connections are taken when everything is loaded
		// The network runs in the main process: only so can the free port that 0 gives be told.
		subprocesses: {
			network: 0,
			simulator: simulators,
			validator: 0,
			verifier: 0,
			localartemis: 0,
			remoteartemis: 0,
			friends: 0,
			chatdb: 0,
			modlog: 0,
			pm: 0,
			battlesearch: 0,
			datasearch: 0,
		},

		// Nobody outside this machine is asked, and nobody gets in by a back way.
		loginserver: 'http://127.0.0.1:9/',
		noNetRequests: true,
		backdoor: false,
		// No files are served: there is nothing but the websocket.
		customhttpresponse(request, response) {
			response.writeHead(404).end();
			return true;
		},
		consoleips: [],
		repl: false,
		watchconfig: false,
		crashguardemail: null,

		// Players log in by name alone; they are ours, so nothing is throttled.
		noguestsecurity: true,
		nothrottle: true,
		noipchecks: true,
		disablebasicnamefilter: true,

		// Nothing of the battles is written to disk: Porimon keeps its own record.
		logchat: false,
		logchallenges: false,
		loguserstats: 0,
		usesqlite: false,
		ladderizebattles: false,
		nobattlesearch: true,

		// Quiet rooms, and no lockdown that would stop a long run.
		reportjoins: false,
		reportbattles: false,
		reportbattlejoins: false,
		autolockdown: false,
		forcetimer: false,
		allowrequestingties: false,
		debugsimprocesses: false,

		commands: plugin.commands,
		handlers: plugin.handlers,
	};
};
