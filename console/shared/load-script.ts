const loading = new Map<string, Promise<void>>();

/** Fetches a third-party script once. A failure may be tried again. */
export const loadScript = (src: string): Promise<void> => {
  const known = loading.get(src);
  if (known) return known;
  const loaded = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.async = true;
    script.onload = () => resolve();
    script.onerror = () => {
      loading.delete(src);
      script.remove();
      reject(new Error(`${src} could not be loaded`));
    };
    document.head.append(script);
  });
  loading.set(src, loaded);
  return loaded;
};
