/** The minimum length of a password, in characters. */
export const passwordChars = 10

// Common passwords of ten or more characters from lists of leaked passwords; shorter ones are rejected for their
// length.
const common = new Set(
  `1234567890 12345678910 123456789a 0123456789 0987654321 1234567891 987654321a 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc
   q1w2e3r4t5 qwertyuiop qwerty123456 qwerty12345 qwertyuiop123 asdfghjkl1 asdfghjkl123 zxcvbnm123 qazwsxedcrfv
   password12 password123 password1234 password12345 passw0rd123 password!123 password01 passwordpassword
   letmein123 iloveyou12 iloveyou123 welcome123 welcome1234 admin12345 admin123456 administrator administrator1
   changeme123 changemenow football123 baseball123 basketball superman123 sunshine123 princess123 dragon12345
   monkey12345 michael123 charlie123 trustno1trustno1 abcdefghij abcdefghijk abcd123456 abc1234567 abc123456789
   aa12345678 a123456789 a1234567890 123qweasdzxc qweasdzxc123 correcthorsebatterystaple lathelathe`.split(/\s+/),
)

/**
 * Returns what is wrong with a new password; undefined if it is fine. No particular kinds of characters are required.
 */
export function findPasswordFault(password: string, { email }: { readonly email: string }): string | undefined {
  const text = password.toLowerCase()
  if ([...password].length < passwordChars) return `must have at least ${passwordChars} characters.`
  if (new Set(text).size < 5) return 'repeats too few characters. Take other words.'
  if (common.has(text)) return 'is among the most common passwords. Take another.'
  if (text === email || text === email.split('@')[0]) return 'must not be your email address.'
  return undefined
}
