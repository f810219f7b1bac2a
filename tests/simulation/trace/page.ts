export const pageOf = (_given: object): string => '';
