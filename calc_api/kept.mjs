/** A bounded memory of answers: what was not asked for in a while is forgotten. */

/**
 * Keeps at least the `most` entries that were used last, and at most twice as many.
 *
 * Two generations instead of a list by age: when the young one is full it becomes the old one, and
 * the old one goes. What is found in the old one moves to the young one.
 */
export class Kept {
  constructor(most) {
    this.most = most;
    this.young = new Map();
    this.old = new Map();
  }

  get size() {
    return this.young.size + this.old.size;
  }

  /** The entry of `key`, or undefined. */
  get(key) {
    const found = this.young.get(key);
    if (found !== undefined) return found;
    const older = this.old.get(key);
    if (older !== undefined) {
      this.old.delete(key);
      this.set(key, older);
    }
    return older;
  }

  set(key, value) {
    if (this.young.size >= this.most && !this.young.has(key)) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
  }
}
