/** Marks of login providers; the icon set of the console has none. */
const size = { width: 18, height: 18, 'aria-hidden': true } as const;

export const GitHubIcon = () => (
  <svg {...size} viewBox="0 0 16 16" fill="currentColor" role="presentation">
    <path d="M8 0C3.58 0 0 3.58 0 8c0 3.54 2.29 6.53 5.47 7.59.4.07.55-.17.55-.38 0-.19-.01-.82-.01-1.49-2.01.37-2.53-.49-2.69-.94-.09-.23-.48-.94-.82-1.13-.28-.15-.68-.52-.01-.53.63-.01 1.08.58 1.23.82.72 1.21 1.87.87 2.33.66.07-.52.28-.87.51-1.07-1.78-.2-3.64-.89-3.64-3.95 0-.87.31-1.59.82-2.15-.08-.2-.36-1.02.08-2.12 0 0 .67-.21 2.2.82.64-.18 1.32-.27 2-.27.68 0 1.36.09 2 .27 1.53-1.04 2.2-.82 2.2-.82.44 1.1.16 1.92.08 2.12.51.56.82 1.27.82 2.15 0 3.07-1.87 3.75-3.65 3.95.29.25.54.73.54 1.48 0 1.07-.01 1.93-.01 2.2 0 .21.15.46.55.38A8.01 8.01 0 0 0 16 8c0-4.42-3.58-8-8-8z" />
  </svg>
);

export const OidcIcon = () => (
  <svg {...size} viewBox="0 0 18 18" fill="none" stroke="currentColor" role="presentation">
    <circle cx="6" cy="9" r="3.6" strokeWidth="1.8" />
    <path d="M9.6 9H17M14 9v3.2" strokeWidth="1.8" strokeLinecap="round" />
  </svg>
);

export const LinuxDoIcon = () => (
  <svg {...size} viewBox="0 0 18 18" role="presentation">
    <clipPath id="linuxdo-round">
      <circle cx="9" cy="9" r="8" />
    </clipPath>
    <g clipPath="url(#linuxdo-round)">
      <path fill="#1d1d1f" d="M0 0h18v6H0z" />
      <path fill="#f0f0f0" d="M0 6h18v6H0z" />
      <path fill="#ffb003" d="M0 12h18v6H0z" />
    </g>
    <circle cx="9" cy="9" r="8" fill="none" stroke="currentColor" strokeOpacity="0.25" />
  </svg>
);

export const WeChatIcon = () => (
  <svg {...size} viewBox="0 0 20 18" fill="#2aae67" role="presentation">
    <path d="M7.6 1C3.9 1 1 3.4 1 6.4c0 1.7 1 3.2 2.5 4.2l-.6 2 2.3-1.2c.8.2 1.6.3 2.3.3-.1-.4-.2-.8-.2-1.2 0-2.9 2.8-5.2 6.2-5.2h.5C13.400 2.800 10.800 1 7.600 1z" />
    <path d="M19 10.500c0-2.500-2.500-4.500-5.400-4.500s-5.300 2-5.300 4.500 2.400 4.500 5.300 4.500c.6 0 1.200-.1 1.800-.3l1.800 1-.5-1.700c1.400-.8 2.300-2.100 2.300-3.500z" />
  </svg>
);
