import { instant, list, object, text, whole } from '../shared/shape.ts';
import { dataOf, type Shapes } from '../shared/shapes.ts';
import type { KeyringWritten, WrappedKey } from './events.ts';

export const keyringShapes: Shapes<KeyringWritten> = {
  KeyringWritten: dataOf<KeyringWritten>({
    cause: text,
    salt: text,
    keys: list(
      object<WrappedKey>({
        purpose: text,
        version: whole,
        keyId: text,
        wrapped: text,
        createdAt: instant,
      }),
    ),
  }),
};
