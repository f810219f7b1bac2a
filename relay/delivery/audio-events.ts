import type { Usage } from '../../domain/pricing/types.ts';
import type { Admitted } from '../admission/admitted.ts';

/** Of sound, in one event; readers play one piece while the next is on its way. */
const pieceBytes = 49_152;

const eventText = (type: string, more: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;

/**
 * Speech that a provider returned whole, for a caller who reads a stream (`stream_format: "sse"`).
 * null: the caller requested the file.
 */
export const soundEvents = (sound: Buffer, { call }: Admitted, usage: Usage): Buffer | null => {
  if (!call.isStream || call.operation !== 'speech') return null;
  const events: string[] = [];
  for (let at = 0; at < sound.length; at += pieceBytes) {
    const audio = sound.toString('base64', at, Math.min(at + pieceBytes, sound.length));
    events.push(eventText('speech.audio.delta', { audio }));
  }
  const { promptTokens, completionTokens } = usage;
  const reported = {
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
  return Buffer.from(events.join('') + eventText('speech.audio.done', { usage: reported }));
};
