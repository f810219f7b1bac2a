/** Fifteen tag colours; their order is part of the product: the same name has one colour for ever. */
const tagColours = [
  'amber',
  'blue',
  'cyan',
  'green',
  'grey',
  'indigo',
  'light-blue',
  'lime',
  'orange',
  'pink',
  'purple',
  'red',
  'teal',
  'violet',
  'yellow',
] as const;
export type TagColour = (typeof tagColours)[number];

const colourAt = (index: number): TagColour => tagColours[index % tagColours.length] ?? 'grey';

export const colourOfName = (name: string): TagColour =>
  colourAt([...Array(name.length).keys()].reduce((sum, at) => sum + name.charCodeAt(at), 0));

export const colourOfId = (id: number): TagColour => colourAt(Math.abs(id));

export const colourOfGroup = (group: string): TagColour => {
  if (group === 'vip' || group === 'pro') return 'yellow';
  if (group === 'svip' || group === 'premium') return 'red';
  return colourOfName(group);
};

export const colourOfRatio = (ratio: number): TagColour => {
  if (ratio > 5) return 'red';
  if (ratio > 3) return 'orange';
  return ratio > 1 ? 'blue' : 'green';
};
