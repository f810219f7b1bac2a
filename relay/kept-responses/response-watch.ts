const maxBytes = 2_048;
const inAnswer = /^\s*\{\s*"id"\s*:\s*"([^"\\]{1,128})"/;
const inEvent = /"response"\s*:\s*\{\s*"id"\s*:\s*"([^"\\]{1,128})"/;

/** Finds the id of a response in the first bytes of an answer that passes. */
export class ResponseWatch {
  private text = '';
  private ended = false;
  private readonly found: (id: string) => void;

  constructor(found: (id: string) => void) {
    this.found = found;
  }

  read(bytes: Buffer): void {
    if (this.ended) return;
    this.text += bytes.toString('latin1', 0, maxBytes);
    const [, id] = inAnswer.exec(this.text) ?? inEvent.exec(this.text) ?? [];
    this.ended = id !== undefined || this.text.length > maxBytes;
    if (id !== undefined) this.found(id);
  }
}
