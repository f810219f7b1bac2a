/**
 * The name sent upstream. Chains are followed to their end, an entry mapping to itself ends them,
 * and a cycle is an error.
 */
export const mapModel = (
  mapping: ReadonlyMap<string, string>,
  model: string,
): string | 'mapping-cycle' => {
  if (mapping.size === 0) return model;
  const seen = new Set([model]);
  let name = model;
  for (;;) {
    const next = mapping.get(name);
    if (next === undefined || next === '' || next === name) return name;
    if (seen.has(next)) return 'mapping-cycle';
    seen.add(next);
    name = next;
  }
};
