/** The provider sent nothing within the idle timeout. */
export class IdleTimeout extends Error {
  constructor() {
    super('the upstream is silent');
  }
}
