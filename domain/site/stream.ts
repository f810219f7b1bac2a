export const siteStreamId = 'site';
