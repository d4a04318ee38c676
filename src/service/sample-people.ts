/** People who do not exist, for a business to try things on. Addresses and numbers are of the ranges kept for examples. */

interface SamplePerson {
  name: string
  email: string
  phone?: string
  time_zone?: string
}

export const sampleStaff = [
  { name: 'Mira Hölderlin', email: 'mira@example.com' },
  { name: 'Tomás Albuquerque', email: 'tomas@example.com' },
  { name: 'Ingrid Sørensen', email: 'ingrid@example.com' },
] as const

export const sampleCustomers: SamplePerson[] = [
  { name: 'Ada Lindqvist', email: 'ada.lindqvist@example.com', phone: '+1 555 0100', time_zone: 'Europe/Stockholm' },
  { name: 'Zoë Brontërre', email: 'zoe@example.org', phone: '+1 555 0101' },
  { name: 'José Ñúñez Peña', email: 'jose.nunez@example.net', time_zone: 'Europe/Madrid' },
  { name: 'Łukasz Śliwiński', email: 'lukasz@example.com', phone: '+1 555 0102', time_zone: 'Europe/Warsaw' },
  { name: 'Nguyễn Thị Hạnh', email: 'hanh.nguyen@example.org' },
  { name: 'Þórdís Önundardóttir', email: 'thordis@example.net', time_zone: 'Atlantic/Reykjavik' },
  { name: 'Çağla Yıldırım', email: 'cagla@example.com', phone: '+1 555 0103', time_zone: 'Europe/Istanbul' },
  { name: 'Анна Ковальчук', email: 'anna.k@example.com', phone: '+1 555 0104', time_zone: 'Europe/Kyiv' },
  { name: 'Дмитрий Соколов', email: 'd.sokolov@example.org' },
  { name: 'Ελένη Παπαδοπούλου', email: 'eleni@example.net', phone: '+1 555 0105', time_zone: 'Europe/Athens' },
  { name: 'Γιώργος Νικολαΐδης', email: 'giorgos@example.com' },
  { name: 'ليلى حداد', email: 'leila.haddad@example.com', phone: '+1 555 0106', time_zone: 'Asia/Beirut' },
  { name: 'عمر الفاروقي', email: 'omar@example.org' },
  { name: 'נועה ברק', email: 'noa.barak@example.net', phone: '+1 555 0107', time_zone: 'Asia/Jerusalem' },
  { name: 'אריאל שרון', email: 'ariel@example.com' },
  { name: 'प्रिया शर्मा', email: 'priya.sharma@example.com', phone: '+1 555 0108', time_zone: 'Asia/Kolkata' },
  { name: 'अर्जुन मेहता', email: 'arjun@example.org' },
  { name: '王小明', email: 'wang.xiaoming@example.com', phone: '+1 555 0109', time_zone: 'Asia/Shanghai' },
  { name: '陳美玲', email: 'meiling.chen@example.net', time_zone: 'Asia/Taipei' },
  { name: '김민준', email: 'minjun.kim@example.com', phone: '+1 555 0110', time_zone: 'Asia/Seoul' },
  { name: '이서연', email: 'seoyeon@example.org' },
  { name: 'さくら ひなた', email: 'sakura@example.com', phone: '+1 555 0111', time_zone: 'Asia/Tokyo' },
  { name: 'マリア サントス', email: 'maria.santos@example.net' },
  { name: 'สมชาย ใจดี', email: 'somchai@example.com', phone: '+1 555 0112', time_zone: 'Asia/Bangkok' },
  { name: 'ნინო ბერიძე', email: 'nino@example.org', time_zone: 'Asia/Tbilisi' },
  { name: 'Անի Սարգսյան', email: 'ani@example.net' },
  { name: 'ሰላም ተስፋዬ', email: 'selam@example.com', phone: '+1 555 0113', time_zone: 'Africa/Addis_Ababa' },
  { name: 'தமிழ்ச்செல்வி குமார்', email: 'selvi@example.org' },
  { name: 'Siobhán O’Ríordáin', email: 'siobhan@example.com', phone: '+1 555 0114', time_zone: 'Europe/Dublin' },
  { name: 'Grace Okonkwo-Müller', email: 'grace@example.net', phone: '+1 555 0115', time_zone: 'Africa/Lagos' },
]
