#ifndef SFO_STDNORETURN_H
#define SFO_STDNORETURN_H
#define noreturn _Noreturn
#endif
