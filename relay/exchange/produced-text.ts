import { roughTokens } from '../metering/rough-tokens.ts';
import { producedText } from '../metering/stream-text.ts';
import type { JsonObject } from '../providers/translate.ts';
import type { Produced } from './reply.ts';

/** Beyond this the rest is taken at the usual density. */
const maxKeptChars = 1_048_576;

/** What a translated stream said, in case its provider never says what it used. */
export class ProducedText implements Produced {
  private text = '';
  private chars = 0;
  private roughly = 0;

  /** What this chunk says. */
  add(chunk: JsonObject): string {
    const said = producedText(chunk);
    this.chars += said.length;
    this.roughly += roughTokens(said);
    if (this.text.length < maxKeptChars) this.text += said;
    return said;
  }

  get isEmpty(): boolean {
    return this.chars === 0;
  }

  tokens(): number {
    return Math.ceil(this.roughly);
  }

  produced(): string | number {
    return this.chars > this.text.length ? this.tokens() : this.text;
  }
}
