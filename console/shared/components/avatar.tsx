import { colourOfName } from '../format/colour.ts';

/** First letter on the colour of the name; a picture, not a text. */
export const Avatar = ({ name, isLarge }: Readonly<{ name: string; isLarge?: boolean }>) => (
  <span
    className={`avatar tone tone-${colourOfName(name)} ${isLarge ? 'is-large' : ''}`}
    data-initial={[...name][0]?.toUpperCase()}
  />
);
