import type { JsonObject } from '../protocol/canonical.ts';
import { maxTokensOf } from '../settlement/output-size.ts';
import { roughTokens } from '../settlement/rough-tokens.ts';
import { producedText, thoughtText } from '../settlement/stream-text.ts';
import type { Produced } from './reply.ts';

/** Beyond this the rest is taken at the usual density. */
const maxKeptChars = 1_048_576;
const shortChunkChars = 2_048;

/** The text of a translated stream, in case its provider never reports usage. */
export class ProducedText implements Produced {
  private kept = '';
  private chars = 0;
  private roughly = 0;
  private thoughts = 0;
  /** Of pictures and sound. */
  private otherChars = 0;

  /** The text of this chunk. */
  add(chunk: JsonObject): string {
    const text = producedText(chunk);
    this.chars += text.length;
    this.roughly += roughTokens(text);
    if (text === '') this.addOther(JSON.stringify(chunk).length);
    const thought = thoughtText(chunk);
    if (thought !== '') this.thoughts += Buffer.byteLength(thought);
    if (this.kept.length < maxKeptChars) this.kept += text;
    return text;
  }

  /** The first and the last chunk have no text, and are short. */
  private addOther(chars: number): void {
    if (chars > shortChunkChars) this.otherChars += chars;
  }

  get isEmpty(): boolean {
    return this.chars === 0;
  }

  roughTokens(): number {
    return Math.ceil(this.roughly);
  }

  maxTokens(): number {
    return maxTokensOf(this.produced()) + this.otherChars;
  }

  maxThoughtTokens(): number {
    return this.thoughts;
  }

  produced(): string | number {
    return this.chars > this.kept.length ? this.roughTokens() : this.kept;
  }
}
