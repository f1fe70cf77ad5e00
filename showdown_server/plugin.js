/**
 * The server's plugin: creates a battle that a seed fixes, and hands over its record at the end.
 *
 * Commands (each answers to the connection that sent it with one line `|porimon|{JSON}`):
 *   /porimon battle {"id", "format", "p1", "p2", "seed", "team_seeds": [.., ..], "swap_teams"}
 *       creates a battle between two users who are logged in. Answers {"id", "room"} or
 *       {"id", "error", "kind"}; at the battle's end {"room", "ended": {...}}.
 *   /porimon drop ROOM
 *       destroys a battle that is not wanted any more.
 */
'use strict';

/** The connection that created each battle still going on, by room. */
const creators = new Map();

function answer(connection, message) {
	connection.send(`|porimon|${JSON.stringify(message)}`);
}

class Refusal extends Error {
	constructor(kind, message) {
		super(message);
		this.kind = kind;
	}
}

function findPlayer(name) {
	const user = Users.getExact(name);
	if (!user || !user.connected || !user.named) {
		throw new Refusal('absent', `the player ${name} is not logged in`);
	}
	return user;
}

/** Formats that were found good, by name: with custom rules the server builds them anew each time. */
const formats = new Map();

function checkedFormat(name) {
	const known = formats.get(name);
	if (known) return known;
	try {
		// Throws when there is no such format, or when a custom rule cannot be applied.
		const format = Dex.formats.get(Dex.formats.validate(name), true);
		if (!format.exists || !format.team) {
			throw new Error(`${name} is not a format with random teams`);
		}
		formats.set(name, format);
		return format;
	} catch (error) {
		throw new Refusal('format', error.message);
	}
}

function makeTeams(format, teamSeeds, swapTeams) {
	// The battle's seed does not fix random teams: each gets a generator with a seed of its own.
	const teams = teamSeeds.map(seed => Teams.pack(Teams.getGenerator(format, seed).getTeam()));
	return swapTeams ? teams.reverse() : teams;
}

function createBattle(order) {
	if (Rooms.global.lockdown) throw new Refusal('lockdown', 'the server starts no new battles');
	const users = [findPlayer(order.p1), findPlayer(order.p2)];
	const format = checkedFormat(order.format);
	const teams = makeTeams(format, order.team_seeds, order.swap_teams);
	const room = Rooms.createBattle({
		format: order.format,
		players: users.map((user, index) => ({ user, team: teams[index] })),
		seed: order.seed,
		rated: false,
	});
	if (!room) throw new Refusal('refused', 'the server refused to create the battle');
	return room;
}

exports.commands = {
	porimon: {
		battle(target, room, user, connection) {
			let id = null;
			try {
				const order = JSON.parse(target);
				id = order.id;
				const created = createBattle(order);
				creators.set(created.roomid, connection);
				answer(connection, { id, room: created.roomid });
			} catch (error) {
				answer(connection, { id, error: error.message, kind: error.kind || 'failed' });
			}
		},
		drop(target, room, user) {
			const dropped = Rooms.get(toID(target) && target.trim());
			if (!dropped?.battle || !(user.id in dropped.battle.playerTable)) return;
			creators.delete(dropped.roomid);
			dropped.destroy();
		},
	},
};

exports.handlers = {
	onBattleEnd(battle, winnerid) {
		const { room, logData } = battle;
		const connection = creators.get(room.roomid);
		if (!connection) return;
		creators.delete(room.roomid);
		const winner = ['p1', 'p2'].find(slot => battle[slot].id === winnerid) || null;
		answer(connection, {
			room: room.roomid,
			ended: {
				winner,
				turns: logData.turns,
				end_type: battle.endType,
				log: room.getLog(-1).split('\n'),
				choices: logData.inputLog,
			},
		});
		// The server still uses the room after this handler; a finished one would stay for minutes.
		setImmediate(() => room.destroy());
	},
};
