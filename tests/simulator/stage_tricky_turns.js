// Stages battles in the simulator in which tricky things happen, and stores what p1 is sent.
//
// Usage: node stage_tricky_turns.js PACKAGE_FOLDER OUTPUT_FOLDER
// Writes OUTPUT_FOLDER/NAME.txt for each scene. Where chance decides, seeds are tried in order until
// the wanted line turns up, so that the same files come out each time.
'use strict';
const fs = require('fs');
const path = require('path');

const [packageFolder, outputFolder] = process.argv.slice(2);
const sim = require(path.join(packageFolder, 'dist', 'sim'));
const {extractChannelMessages} = require(path.join(packageFolder, 'dist', 'sim', 'battle'));
// Teams are not validated here, so that any set can be staged; a foe's HP comes in percent.
const FORMAT = 'gen8anythinggoes@@@!Team Preview,Dynamax Clause';
const MOST_SEEDS = 3000;

/** One Pokémon: "Species @ Item ! Ability : Move, Move", level 80, with other fields on request. */
function mon(text, more = {}) {
  const [, species, item, ability, moves] = /^([^@!:]+?(?:: Null)?)(?: @ ([^!:]+?))?(?: ! ([^:]+?))? : (.+)$/.exec(text);
  const spread = {hp: 84, atk: 84, def: 84, spa: 84, spd: 84, spe: 84};
  return {
    name: more.name || species, species, item: item || '', ability: ability || 'Run Away',
    moves: moves.split(', '), level: 80, nature: 'Serious', evs: spread,
    ivs: {hp: 31, atk: 31, def: 31, spa: 31, spd: 31, spe: 31}, gender: 'N', ...more,
  };
}

const blissey = mon('Blissey : Soft-Boiled, Splash');
const snorlax = mon('Snorlax ! Thick Fat : Splash, Body Slam');

/** Each scene: teams, orders per decision ("-" where that side has none), and the line to seek. */
const scenes = {
  both_faint_at_once: {
    p1: [mon('Electrode : Explosion'), snorlax], p2: [mon('Abra ! Inner Focus : Splash', {level: 1}), blissey],
    orders: [['move 1', 'move 1'], ['switch 2', 'switch 2']],
  },
  u_turn_into_hazard: {
    p1: [mon('Scizor ! Swarm : U-turn, Splash'), mon('Charizard ! Blaze : Splash')],
    p2: [mon('Tyranitar ! Unnerve : Stealth Rock, Splash')],
    orders: [['move 2', 'move 1'], ['move 1', 'move 2'], ['switch 2', '-']],
  },
  substitute_broken_by_multi_hit: {
    p1: [mon('Cloyster ! Skill Link : Splash, Icicle Spear')], p2: [mon('Blissey ! Serene Grace : Substitute, Splash')],
    orders: [['move 1', 'move 1'], ['move 2', 'move 2']], seek: /-end\|p2a: Blissey\|Substitute\n/,
  },
  substitute_takes_the_hit: {
    p1: [mon('Cloyster ! Skill Link : Splash, Rapid Spin')], p2: [mon('Slowbro ! Oblivious : Substitute, Splash')],
    orders: [['move 1', 'move 1'], ['move 2', 'move 2']],
  },
  protean: {
    p1: [snorlax], p2: [mon('Greninja ! Protean : Ice Beam')], orders: [['move 1', 'move 1']],
  },
  libero_into_a_miss: {
    p1: [mon('Cinderace ! Libero : High Jump Kick')], p2: [snorlax],
    orders: [['move 1', 'move 1']], seek: /-miss\|p1a/,
  },
  disguise: {
    p1: [mon('Machamp ! No Guard : Stone Edge')], p2: [mon('Mimikyu ! Disguise : Splash')],
    orders: [['move 1', 'move 1']],
  },
  illusion_ends: {
    p1: [mon('Machamp ! Guts : Strength')], p2: [mon('Zoroark ! Illusion : Night Daze'), mon('Snorlax ! Thick Fat : Body Slam')],
    orders: [['move 1', 'move 1']], seek: /replace/,
  },
  imposter: {
    p1: [mon('Garchomp ! Rough Skin : Swords Dance')], p2: [mon('Ditto @ Choice Scarf ! Imposter : Transform')],
    orders: [['move 1', 'move 1']],
  },
  transform_copies_boosts: {
    p1: [mon('Garchomp ! Rough Skin : Swords Dance')], p2: [mon('Mew ! Synchronize : Transform')],
    orders: [['move 1', 'move 1']],
  },
  leech_seed_with_fainted_seeder: {
    p1: [mon('Ninjask ! Infiltrator : Leech Seed'), snorlax], p2: [mon('Snorlax ! Immunity : Stone Edge')],
    orders: [['move 1', 'move 1'], ['switch 2', '-']], seek: /move: Leech Seed\n[\s\S]*faint\|p1a/,
  },
  leech_seed_drains: {
    p1: [mon('Celebi ! Natural Cure : Leech Seed, Splash')], p2: [mon('Snorlax ! Immunity : Body Slam')],
    orders: [['move 1', 'move 1']], seek: /-start\|p2a: Snorlax\|move: Leech Seed(?![\s\S]*par\b)/,
  },
  wish_lands_on_another: {
    p1: [mon('Vaporeon ! Hydration : Wish'), mon('Snorlax ! Immunity : Splash', {evs: {hp: 0}})], p2: [mon('Machamp ! Guts : Strength')],
    orders: [['move 1', 'move 1'], ['switch 2', 'move 1']], seek: /\[wisher\]/,
  },
  future_sight_lands: {
    p1: [mon('Slowking ! Oblivious : Future Sight, Splash')], p2: [mon('Machamp ! Guts : Splash'), blissey],
    orders: [['move 1', 'move 1'], ['move 2', 'move 1'], ['move 2', 'move 1']],
  },
  perish_song: {
    p1: [mon('Lapras ! Shell Armor : Perish Song, Splash'), snorlax], p2: [snorlax, blissey],
    orders: [['move 1', 'move 1'], ['move 2', 'move 1'], ['switch 2', 'move 1'], ['move 1', 'move 1'], ['-', 'switch 2']],
  },
  rapid_spin: {
    p1: [mon('Starmie ! Natural Cure : Splash, Rapid Spin'), snorlax],
    p2: [mon('Ferrothorn ! Anticipation : Spikes, Leech Seed, Splash')],
    orders: [['move 1', 'move 1'], ['move 1', 'move 2'], ['move 2', 'move 3']], seek: /-start\|p1a: Starmie\|move: Leech Seed/,
  },
  defog: {
    p1: [mon('Corviknight ! Pressure : Stealth Rock, Splash'), snorlax], p2: [mon('Skarmory ! Sturdy : Spikes, Defog')],
    orders: [['move 1', 'move 1'], ['move 2', 'move 2']],
  },
  knock_off: {
    p1: [mon('Blissey @ Leftovers ! Serene Grace : Splash')], p2: [mon('Weavile ! Pressure : Knock Off')],
    orders: [['move 1', 'move 1']],
  },
  trick: {
    p1: [mon('Blissey @ Leftovers ! Serene Grace : Splash')], p2: [mon('Rotom-Wash @ Choice Scarf ! Levitate : Trick')],
    orders: [['move 1', 'move 1']],
  },
  berry_eaten: {
    p1: [mon('Snorlax @ Sitrus Berry ! Immunity : Belly Drum', {evs: {hp: 88}})], p2: [snorlax], orders: [['move 1', 'move 1']],
  },
  berry_weakens_the_hit: {
    p1: [mon('Machamp ! Steadfast : Cross Chop')], p2: [mon('Tyranitar @ Chople Berry ! Unnerve : Splash')],
    orders: [['move 1', 'move 1']], seek: /weaken/,
  },
  focus_sash: {
    p1: [mon('Alakazam @ Focus Sash ! Inner Focus : Splash')], p2: [mon('Weavile ! Pressure : Night Slash')],
    orders: [['move 1', 'move 1']], seek: /Focus Sash/,
  },
  sturdy: {
    p1: [mon('Machamp ! No Guard : Close Combat')], p2: [mon('Magnezone ! Sturdy : Splash')], orders: [['move 1', 'move 1']],
  },
  life_orb: {
    p1: [mon('Gengar @ Life Orb ! Cursed Body : Sludge Wave')], p2: [mon('Blissey @ Leftovers ! Serene Grace : Splash')],
    orders: [['move 1', 'move 1']],
  },
  confusion_self_hit: {
    p1: [mon('Machamp ! Guts : Strength')], p2: [mon('Crobat ! Inner Focus : Confuse Ray, Splash')],
    orders: [['move 1', 'move 1'], ['move 1', 'move 2']], seek: /turn\|2[\s\S]*\[from\] confusion/,
  },
  encore: {
    p1: [mon('Blissey ! Serene Grace : Soft-Boiled, Seismic Toss')], p2: [mon('Whimsicott ! Infiltrator : Encore, Splash')],
    orders: [['move 1', 'move 2'], ['move 2', 'move 1']],
  },
  taunt: {
    p1: [mon('Blissey ! Serene Grace : Soft-Boiled, Seismic Toss')], p2: [mon('Weavile ! Pressure : Taunt')],
    orders: [['move 1', 'move 1']],
  },
  disable: {
    p1: [mon('Blissey ! Serene Grace : Seismic Toss, Splash')], p2: [mon('Alakazam ! Inner Focus : Splash, Disable')],
    orders: [['move 1', 'move 1'], ['move 1', 'move 2']],
  },
  weak_armor: {
    p1: [mon('Machamp ! No Guard : Strength')], p2: [mon('Skarmory ! Weak Armor : Splash')], orders: [['move 1', 'move 1']], seek: /Weak Armor/,
  },
  speed_boost: {
    p1: [snorlax], p2: [mon('Blaziken ! Speed Boost : Protect')], orders: [['move 2', 'move 1']],
  },
  sleep_and_waking: {
    p1: [mon('Snorlax ! Thick Fat : Body Slam')], p2: [mon('Breloom ! Technician : Spore, Swords Dance')],
    orders: [['move 1', 'move 1'], ['move 1', 'move 2'], ['move 1', 'move 2']], seek: /cant\|p1a: Snorlax\|slp[\s\S]*turn\|3[\s\S]*-curestatus\|p1a: Snorlax\|slp/,
  },
  full_paralysis: {
    p1: [mon('Machamp ! No Guard : Strength')], p2: [mon('Jolteon ! Quick Feet : Thunder Wave, Splash')],
    orders: [['move 1', 'move 1']], seek: /cant\|p1a: Machamp\|par/,
  },
  baton_pass: {
    p1: [mon('Espeon ! Synchronize : Calm Mind, Baton Pass'), mon('Vaporeon ! Hydration : Splash')], p2: [snorlax],
    orders: [['move 1', 'move 1'], ['move 2', 'move 1'], ['switch 2', '-']],
  },
  destiny_bond: {
    p1: [mon('Weavile ! Pickpocket : Splash, Night Slash'), snorlax], p2: [mon('Gengar ! Cursed Body : Splash, Destiny Bond', {level: 90, evs: {hp: 0, atk: 0, def: 0, spa: 0, spd: 0, spe: 255}}), blissey],
    orders: [['move 2', 'move 2'], ['switch 2', 'switch 2']], seek: /move: Destiny Bond[\s\S]*faint/,
  },
  struggle: {
    p1: [mon('Blissey ! Serene Grace : Soft-Boiled')], p2: [mon('Weavile ! Pressure : Taunt, Splash')],
    orders: [['move 1', 'move 1'], ['move 1', 'move 2']],
  },
  tie: {p1: [snorlax], p2: [snorlax], orders: [['move 1', 'move 1']], tie: true},
  magic_bounce: {
    p1: [mon('Skarmory ! Keen Eye : Stealth Rock')], p2: [mon('Hatterene ! Magic Bounce : Splash')], orders: [['move 1', 'move 1']],
  },
  roar_into_spikes: {
    p1: [mon('Blissey ! Serene Grace : Splash'), mon('Machamp ! Guts : Splash')], p2: [mon('Skarmory ! Keen Eye : Spikes, Whirlwind')],
    orders: [['move 1', 'move 1'], ['move 1', 'move 2']],
  },
  priority_says_nothing_of_speed: {
    p1: [mon('Machamp ! No Guard : Mach Punch')], p2: [mon('Jolteon ! Quick Feet : Splash')], orders: [['move 1', 'move 1']], seek: /-damage\|p2a: Jolteon/,
  },
  trick_room_says_nothing_of_speed: {
    p1: [mon('Snorlax ! Thick Fat : Splash')], p2: [mon('Slowbro ! Oblivious : Trick Room, Splash')],
    orders: [['move 1', 'move 1'], ['move 1', 'move 2']],
  },
  prankster_says_nothing_of_speed: {
    p1: [mon('Weavile ! Pressure : Swords Dance')], p2: [mon('Sableye ! Prankster : Calm Mind')], orders: [['move 1', 'move 1']],
  },
  quick_claw: {
    p1: [mon('Snorlax @ Quick Claw ! Thick Fat : Splash')], p2: [mon('Jolteon ! Quick Feet : Splash')],
    orders: [['move 1', 'move 1']], seek: /Quick Claw/,
  },
  toxic_spikes_absorbed: {
    p1: [snorlax, mon('Muk ! Stench : Splash')], p2: [mon('Toxapex ! Regenerator : Toxic Spikes')],
    orders: [['move 1', 'move 1'], ['switch 2', 'move 1']],
  },
  eject_button: {
    p1: [mon('Blissey @ Eject Button ! Serene Grace : Splash'), snorlax], p2: [mon('Weavile ! Pressure : Night Slash')],
    orders: [['move 1', 'move 1'], ['switch 2', '-']], seek: /Eject Button/,
  },
  red_card: {
    p1: [mon('Blissey @ Red Card ! Serene Grace : Splash')], p2: [mon('Weavile ! Pressure : Night Slash'), snorlax],
    orders: [['move 1', 'move 1']], seek: /Red Card/,
  },
  rough_skin_and_rocky_helmet: {
    p1: [mon('Machamp ! No Guard : Strength')], p2: [mon('Garchomp @ Rocky Helmet ! Rough Skin : Splash')], orders: [['move 1', 'move 1']], seek: /-damage\|p2a/,
  },
  stance_change: {
    p1: [snorlax], p2: [mon('Aegislash ! Stance Change : Shadow Sneak, King\'s Shield')], orders: [['move 2', 'move 2'], ['move 1', 'move 1']],
  },
  clear_body_against_intimidate: {
    p1: [mon('Metagross ! Clear Body : Splash')], p2: [mon('Gyarados ! Intimidate : Splash')], orders: [['move 1', 'move 1']],
  },
  trace: {
    p1: [mon('Porygon2 ! Trace : Splash')], p2: [mon('Gyarados ! Intimidate : Splash')], orders: [['move 1', 'move 1']],
  },
  sandstorm_hurts: {
    p1: [blissey], p2: [mon('Tyranitar ! Sand Stream : Splash')], orders: [['move 2', 'move 1']],
  },
  volt_absorb: {
    p1: [mon('Jolteon ! Volt Absorb : Substitute, Splash')], p2: [mon('Zapdos ! Pressure : Thunderbolt')],
    orders: [['move 1', 'move 1']], seek: /Volt Absorb/,
  },
  rest_and_sleep_talk: {
    p1: [mon('Snorlax ! Thick Fat : Rest, Sleep Talk, Body Slam')], p2: [mon('Machamp ! No Guard : Strength, Splash')],
    orders: [['move 3', 'move 1'], ['move 1', 'move 2'], ['move 2', 'move 2']], seek: /Body Slam\|p2a: Machamp\|\[from\] move: Sleep Talk/,
  },
  natural_cure: {
    p1: [mon('Blissey ! Natural Cure : Splash'), snorlax], p2: [mon('Toxapex ! Regenerator : Toxic, Splash')],
    orders: [['move 1', 'move 1'], ['switch 2', 'move 2']], seek: /-status\|p1a: Blissey/,
  },
  two_turn_move: {
    p1: [mon('Venusaur ! Overgrow : Solar Beam')], p2: [snorlax], orders: [['move 1', 'move 1'], ['move 1', 'move 1']],
  },
  outrage_fatigue: {
    p1: [mon('Garchomp ! Rough Skin : Outrage')], p2: [mon('Steelix ! Sturdy : Splash')],
    orders: [['move 1', 'move 1'], ['move 1', 'move 1']], seek: /turn\|2[\s\S]*fatigue/,
  },
  no_effect: {
    p1: [mon('Jolteon ! Quick Feet : Thunderbolt')], p2: [mon('Steelix ! Sturdy : Body Slam'), snorlax], orders: [['move 1', 'move 1']],
  },
  recoil_takes_the_attacker_too: {
    p1: [mon('Shedinja @ Life Orb ! Wonder Guard : Shadow Sneak'), snorlax], p2: [mon('Abra ! Inner Focus : Splash', {level: 1}), blissey],
    orders: [['move 1', 'move 1'], ['switch 2', 'switch 2']],
  },
  nickname_with_odd_text: {
    p1: [mon('Snorlax ! Thick Fat : Splash', {name: 'Rex'})], p2: [mon('Machamp ! Guts : Strength', {name: '[sep] ignore'})], orders: [['move 1', 'move 1']], seek: /-damage\|p1a/,
  },
};

function stage(scene, seed) {
  const battle = new sim.Battle({
    formatid: FORMAT, seed: `sodium,${seed.toString(16).padStart(32, '0')}`,
    p1: {name: 'bot 1', team: structuredClone(scene.p1)}, p2: {name: 'bot 10', team: structuredClone(scene.p2)},
  });
  for (const [first, second] of scene.orders) {
    if (battle.ended) break;
    for (const [side, order] of [[battle.p1, first], [battle.p2, second]]) {
      if (order === '-' || side.isChoiceDone() || !side.activeRequest || side.activeRequest.wait) continue;
      if (!side.choose(order)) throw new Error(side.choice.error);
    }
    if (battle.allChoicesDone()) battle.commitChoices();
    else throw new Error(`an order is missing: ${first} / ${second}`);
  }
  if (scene.tie) battle.tie();
  return extractChannelMessages(battle.log.join('\n'), [1])[1];
}

for (const [name, scene] of Object.entries(scenes)) {
  let lines = null;
  for (let seed = 1; seed <= MOST_SEEDS; seed++) {
    const tried = stage(scene, seed);
    if (!scene.seek || scene.seek.test(tried.join('\n'))) {
      lines = tried;
      break;
    }
  }
  if (!lines) {
    console.error(`${name}: the wanted line never turned up`);
    process.exitCode = 1;
    continue;
  }
  const kept = lines.filter(line => !line.startsWith('|t:|'));
  fs.writeFileSync(path.join(outputFolder, `${name}.txt`), kept.join('\n') + '\n');
}
