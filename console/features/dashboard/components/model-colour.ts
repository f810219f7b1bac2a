const palette = [
  '#1664ff',
  '#1ac6ff',
  '#ff8a00',
  '#3cc780',
  '#7442d4',
  '#ffc400',
  '#304d77',
  '#b48dea',
  '#009488',
  '#ff7dda',
] as const;

/** Halfway to white: the sister that long names may get, so that twenty models stay apart. */
const lighter = (colour: string): string => {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return `#${parts.map((part) => Math.round((part + 255) / 2).toString(16)).join('')}`;
};
const longPalette = palette.flatMap((colour) => [colour, lighter(colour)]);

/** A stable 32-bit hash of the name, so that a model has one colour in every chart. */
const hashOf = (name: string): number => {
  let hash = 0;
  for (let at = 0; at < name.length; at += 1) hash = (hash * 31 + name.charCodeAt(at)) | 0;
  return Math.abs(hash);
};

export const modelColour = (model: string): string => {
  const colours: readonly string[] = model.length <= 10 ? palette : longPalette;
  return colours[hashOf(model) % colours.length] ?? palette[0];
};
