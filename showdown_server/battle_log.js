/** What a simulator's log is to a spectator who sees both sides. */
'use strict';

/**
 * The lines of a battle's log as a spectator with full knowledge gets them: of each pair of secret
 * and public lines (after a `|split|` line) the secret one.
 */
exports.omniscientLines = function omniscientLines(log) {
	const lines = [];
	for (let index = 0; index < log.length; index++) {
		if (log[index].startsWith('|split|')) {
			if (log[index + 1]) lines.push(log[index + 1]);
			index += 2;
		} else {
			lines.push(log[index]);
		}
	}
	return lines;
};
