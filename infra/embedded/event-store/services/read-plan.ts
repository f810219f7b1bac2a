import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { createFilter, type Filter, type FilterSpec } from '../log/filters.ts';
import type { Direction } from '../log/log.ts';
import { invalidArgument } from '../wire/errors.ts';
import type { UuidForm } from '../wire/uuid.ts';
import { safeNumber, streamNameOf } from './append.ts';

type Place = 'start' | 'end' | number;

/** The request of one Read call. */
export type ReadPlan = Readonly<{
  /** null: the whole log. */
  stream: string | null;
  place: Place;
  direction: Direction;
  /** null: a subscription. */
  count: number | null;
  filter: Filter | null;
  resolveLinks: boolean;
  uuidForm: UuidForm;
}>;

const defaultWindow = 32;
const backwards = 1;

type FilterOptions = ReadReq.Options.FilterOptions;

const filterSpecOf = (options: FilterOptions): FilterSpec => {
  const onStream = options.hasStreamIdentifier();
  const expression = onStream ? options.getStreamIdentifier() : options.getEventType();
  const window = options.hasMax() ? options.getMax() : defaultWindow;
  const multiplier = Math.max(1, options.getCheckpointintervalmultiplier());
  return {
    on: onStream ? 'stream' : 'type',
    prefixes: expression?.getPrefixList() ?? [],
    regex: expression?.getRegex() ?? '',
    checkpointInterval: Math.max(1, window * multiplier),
  };
};

/** @throws ServiceError on an invalid expression */
const filterOf = (options: FilterOptions | undefined): Filter | null => {
  if (options === undefined) return null;
  try {
    return createFilter(filterSpecOf(options));
  } catch {
    throw invalidArgument('the filter is not a valid regular expression');
  }
};

const placeOf = (options: ReadReq.Options): Place => {
  const stream = options.getStream();
  const all = options.getAll();
  if (stream?.hasStart() || all?.hasStart()) return 'start';
  if (stream?.hasEnd() || all?.hasEnd()) return 'end';
  if (stream !== undefined) return safeNumber(stream.getRevision());
  return safeNumber(all?.getPosition()?.getCommitPosition() ?? '0');
};

const isForwardsRead = (options: ReadReq.Options): boolean =>
  !options.hasSubscription() && options.getReadDirection() !== backwards;

/** @throws ServiceError on a request that makes no sense */
export const readPlan = (request: ReadReq): ReadPlan => {
  const options = request.getOptions();
  if (options === undefined) throw invalidArgument('no options');
  const stream = options.getStream();
  if (stream === undefined && !options.hasAll()) throw invalidArgument('neither stream nor $all');
  const direction = options.getReadDirection() === backwards ? 'backwards' : 'forwards';
  if (options.hasSubscription() && direction === 'backwards') {
    throw invalidArgument('a subscription reads forwards');
  }
  const place = placeOf(options);
  if (stream !== undefined && place === 'end' && isForwardsRead(options)) {
    throw invalidArgument('a stream is read backwards from its end');
  }
  return {
    stream: stream === undefined ? null : streamNameOf(stream),
    place,
    direction,
    count: options.hasSubscription() ? null : safeNumber(options.getCount()),
    filter: filterOf(options.getFilter()),
    resolveLinks: options.getResolveLinks(),
    uuidForm: options.getUuidOption()?.hasStructured() ? 'structured' : 'string',
  };
};
