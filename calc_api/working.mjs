/**
 * The calculator's Pokémon, moves and fields, made to be reckoned with many times.
 *
 * The calculator works on clones. Its own way to clone computes the stats anew from EVs and IVs,
 * copies all the data of the species, and looks the move up again; it changes none of those. Here
 * a clone copies what is there. Questions such as `hasAbility` are asked a hundred times for each
 * hit: they are answered without making a list of their arguments.
 */
import {createRequire} from 'node:module';

const {Field, Move, Pokemon, Side} = createRequire(import.meta.url)('@smogon/calc');

function isAmong(value, words) {
  for (let place = 0; place < words.length; place++) {
    if (words[place] === value) return true;
  }
  return false;
}

export class WorkingPokemon extends Pokemon {
  constructor(...all) {
    super(...all);
    /** How often the HP that are left were read, of this Pokémon or of a copy. */
    this.hpReads = {count: 0};
  }

  clone() {
    return new PokemonCopy(this);
  }

  curHP(original) {
    this.hpReads.count++;
    return super.curHP(original);
  }

  hasAbility() {
    return Boolean(this.ability) && isAmong(this.ability, arguments);
  }

  hasItem() {
    return Boolean(this.item) && isAmong(this.item, arguments);
  }

  hasStatus() {
    return Boolean(this.status) && isAmong(this.status, arguments);
  }

  /** (Terastal types, which would come first, are of a later generation.) */
  hasType() {
    const {types} = this;
    for (let place = 0; place < types.length; place++) {
      if (isAmong(types[place], arguments)) return true;
    }
    return false;
  }

  hasOriginalType() {
    return this.hasType.apply(this, arguments);
  }

  named() {
    return isAmong(this.name, arguments);
  }
}

/** A constructor that names each field: all copies have one shape, which is what makes them fast. */
function PokemonCopy(of) {
  this.species = of.species;
  this.gen = of.gen;
  this.name = of.name;
  this.types = [...of.types];
  this.level = of.level;
  this.gender = of.gender;
  this.ability = of.ability;
  this.abilityOn = of.abilityOn;
  this.isDynamaxed = of.isDynamaxed;
  this.dynamaxLevel = of.dynamaxLevel;
  this.weightkg = of.weightkg;
  this.alliesFainted = of.alliesFainted;
  this.boostedStat = of.boostedStat;
  this.teraType = of.teraType;
  this.item = of.item;
  this.nature = of.nature;
  this.ivs = of.ivs;
  this.evs = of.evs;
  this.boosts = {...of.boosts};
  this.rawStats = {...of.rawStats};
  this.stats = {...of.stats};
  this.originalCurHP = of.originalCurHP;
  this.status = of.status;
  this.toxicCounter = of.toxicCounter;
  this.moves = of.moves;
  this.hpReads = of.hpReads;
}
PokemonCopy.prototype = WorkingPokemon.prototype;

export class WorkingMove extends Move {
  clone() {
    return new MoveCopy(this);
  }

  named() {
    return isAmong(this.name, arguments);
  }

  hasType() {
    return isAmong(this.type, arguments);
  }
}

function MoveCopy(of) {
  this.originalName = of.originalName;
  this.hits = of.hits;
  this.timesUsedWithMetronome = of.timesUsedWithMetronome;
  this.gen = of.gen;
  this.name = of.name;
  this.ability = of.ability;
  this.item = of.item;
  this.useZ = of.useZ;
  this.useMax = of.useMax;
  this.overrideMove = of.overrideMove;
  this.overrides = of.overrides;
  this.bp = of.bp;
  this.type = of.type;
  this.category = of.category;
  this.dropsStats = of.dropsStats;
  this.timesUsed = of.timesUsed;
  this.secondaries = of.secondaries;
  this.target = of.target;
  this.recoil = of.recoil;
  this.hasCrashDamage = of.hasCrashDamage;
  this.mindBlownRecoil = of.mindBlownRecoil;
  this.struggleRecoil = of.struggleRecoil;
  this.isCrit = of.isCrit;
  this.isStellarFirstUse = of.isStellarFirstUse;
  this.drain = of.drain;
  this.flags = {...of.flags};
  this.priority = of.priority;
  this.ignoreDefensive = of.ignoreDefensive;
  this.overrideOffensiveStat = of.overrideOffensiveStat;
  this.overrideDefensiveStat = of.overrideDefensiveStat;
  this.overrideOffensivePokemon = of.overrideOffensivePokemon;
  this.overrideDefensivePokemon = of.overrideDefensivePokemon;
  this.breaksProtect = of.breaksProtect;
  this.isZ = of.isZ;
  this.isMax = of.isMax;
  this.multiaccuracy = of.multiaccuracy;
}
MoveCopy.prototype = WorkingMove.prototype;

export class WorkingField extends Field {
  clone() {
    return new FieldCopy(this);
  }

  hasWeather() {
    return Boolean(this.weather) && isAmong(this.weather, arguments);
  }

  hasTerrain() {
    return Boolean(this.terrain) && isAmong(this.terrain, arguments);
  }
}

function FieldCopy(of) {
  this.gameType = of.gameType;
  this.terrain = of.terrain;
  this.weather = of.weather;
  this.isMagicRoom = of.isMagicRoom;
  this.isWonderRoom = of.isWonderRoom;
  this.isGravity = of.isGravity;
  this.isAuraBreak = of.isAuraBreak;
  this.isFairyAura = of.isFairyAura;
  this.isDarkAura = of.isDarkAura;
  this.isBeadsOfRuin = of.isBeadsOfRuin;
  this.isSwordOfRuin = of.isSwordOfRuin;
  this.isTabletsOfRuin = of.isTabletsOfRuin;
  this.isVesselOfRuin = of.isVesselOfRuin;
  this.attackerSide = new Side(of.attackerSide);
  this.defenderSide = new Side(of.defenderSide);
}
FieldCopy.prototype = WorkingField.prototype;

/** Throws if the package's object has a field that its copy would lose. */
function expectWhole(original) {
  const copy = original.clone();
  for (const field of Object.keys(original)) {
    if (!Object.hasOwn(copy, field)) {
      throw new Error(`@smogon/calc: ${original.constructor.name} has a new field ${field}`);
    }
  }
}

/** Checks, once at the start, that the copies above are whole for this version of the package. */
export function expectWholeCopies(generation) {
  expectWhole(new WorkingPokemon(generation, 'Pikachu'));
  expectWhole(new WorkingMove(generation, 'Bullet Seed'));
  expectWhole(new WorkingMove(generation, 'Overheat'));
  expectWhole(new WorkingField());
}
