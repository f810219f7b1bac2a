import { parseArgs } from 'node:util';
import type { OtherCheckout } from './plant.ts';

/** `[part of a load's name] [--seconds N] [--other CHECKOUT] [--other-node EXECUTABLE]` */
export const readOptions = (): Readonly<{
  only: string;
  seconds: number;
  other: OtherCheckout | undefined;
}> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '8' },
      other: { type: 'string' },
      'other-node': { type: 'string' },
    },
  });
  const { other: folder, 'other-node': node } = values;
  return {
    only: positionals[0] ?? '',
    seconds: Number(values.seconds),
    other: folder === undefined ? undefined : { folder, ...(node !== undefined && { node }) },
  };
};
