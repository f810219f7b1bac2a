import { parseObject, textAt } from '../../protocol/json.ts';
import { createChunkWriter } from '../shared/chunk-writer.ts';
import { interrupted } from '../shared/failure.ts';
import { runSse } from '../shared/run-stream.ts';
import type { StreamTranslation, TranslationContext } from '../translate.ts';
import { documentList, libraryError } from './reply.ts';

export const libraryStream = (context: TranslationContext): StreamTranslation => {
  const writer = createChunkWriter(context);
  return runSse({
    message: ({ data }, out) => {
      const part = parseObject(data);
      if (part === null) return null;
      const error = libraryError(part);
      if (error !== null) return error;
      writer.head({ model: textAt(part, 'model') });
      writer.content(textAt(part, 'content') + documentList(part), out);
      if (part.finish === true) writer.finish('stop', out);
      return null;
    },
    end: () => (writer.isFinished() ? null : interrupted()),
    usage: () => null,
  });
};
