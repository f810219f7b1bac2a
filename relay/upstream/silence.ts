/** The provider was given its time and did not say a word. */
export class Silence extends Error {
  constructor() {
    super('the upstream is silent');
  }
}
