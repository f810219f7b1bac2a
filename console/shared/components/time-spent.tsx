import { ToneTag } from './tone-tag.tsx';

type Props = Readonly<{ seconds: number; text: string }>;

/** Longer than this is highlighted, in seconds. */
const slowFrom = 60;

export const TimeSpent = ({ seconds, text }: Props) => (
  <ToneTag colour={seconds > slowFrom ? 'red' : 'green'}>{text}</ToneTag>
);
