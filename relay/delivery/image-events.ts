import type { Admitted } from '../admission/admitted.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { defined, objectsAt } from '../protocol/json.ts';

/**
 * Pictures that a provider made whole, for a caller who reads a stream: each as the event that ends
 * a picture. null: the caller reads no stream of pictures.
 */
export const pictureEvents = (body: JsonObject, { call }: Admitted): Buffer | null => {
  if (!call.isStream || call.operation !== 'images') return null;
  const isEdit = call.path.startsWith('/v1/images/edits');
  const type = isEdit ? 'image_edit.completed' : 'image_generation.completed';
  const { created: created_at, size, quality, background, output_format, usage } = body;
  const shared = { created_at, size, quality, background, output_format, usage };
  const events = objectsAt(body, 'data').map((picture) => {
    const event = defined({ type, ...shared, ...picture });
    return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
  });
  return Buffer.from(events.join(''));
};
