import { colourOfName } from '../format/colour.ts';

/** First letter on the colour of the name. */
export const Avatar = ({ name, isLarge }: Readonly<{ name: string; isLarge?: boolean }>) => (
  <span
    className={`avatar tone tone-${colourOfName(name)} ${isLarge ? 'is-large' : ''}`}
    aria-hidden
  >
    {[...name][0]?.toUpperCase()}
  </span>
);
