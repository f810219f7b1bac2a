import type { ReactNode } from 'react';

/** A name and what is known of it; what is not worth a line is left out by whoever lists them. */
export type Fact = readonly [name: string, value: ReactNode];

export const Facts = ({ facts }: Readonly<{ facts: readonly Fact[] }>) => (
  <dl className="facts">
    {facts.map(([name, value]) => (
      <div key={name} className="facts-row">
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
