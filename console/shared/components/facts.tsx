import type { ReactNode } from 'react';

/** Names with their values; the caller leaves out what is not worth a line. */
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
