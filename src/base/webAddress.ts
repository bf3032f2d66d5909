const LONGEST = 2_048 // characters; browsers take little more

/** Whether it may become a link: https, a plain host, printable ASCII. Records come from untrusted sources. */
export const isWebAddress = (text: string): boolean =>
  text.length <= LONGEST && /^https:\/\/[A-Za-z0-9][A-Za-z0-9.-]*(?::\d{1,5})?(?:[/?#][!-~]*)?$/.test(text)
