#include "profiler/check/collector/instrument.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_machine.h"
#include "pub_tool_vki.h"

#include "profiler/check/collector/access_tables.h"
#include "profiler/check/collector/examined_code.h"
#include "profiler/check/collector/log.h"
#include "profiler/check/collector/memory.h"
#include "profiler/check/protocol.h"

/* --- Accesses --------------------------------------------------------------------------------- */

static inline Bool is_noted(Addr address, UWord size, UInt kind, Addr code) {
    if (current->enters)
        begin_at_access(current);
    return note_again(current, address, size, kind, code) || !is_of_interest(current, address);
}

/* A function begins. The runtime calls several of one task: the parts of an untied task, and what
 * destroys its variables. Each call may begin elsewhere. */
static VG_REGPARM(2) void on_function(Addr stack_pointer, Addr code) {
    const Addr top = stack_pointer + sizeof(Addr);
    if (current->enters) {
        add_record(LOOMP_CHECK_FUNCTION, (UInt)(current - threads), current->task, code, 0);
        task_state(current->task)->function = code;
        begin_task(current, stack_pointer);
    } else if (current->stack_end != 0 && top != current->stack_end &&
               (code == current->function || top > current->stack_end ||
                top < current->stack_begin)) {
        begin_task(current, stack_pointer);
    }
}
static VG_REGPARM(3) void on_read(Addr address, UWord size, Addr code) {
    if (is_noted(address, size, kRead, code))
        return;
    if (address >= current->private_begin && address < current->private_end)
        note_pointer(current, address, size);
    else
        note(current, address, size, kRead, code);
}
static VG_REGPARM(3) void on_write(Addr address, UWord size, Addr code) {
    if (!is_noted(address, size, kWrite, code))
        note(current, address, size, kWrite, code);
}
static VG_REGPARM(3) void on_atomic(Addr address, UWord size, Addr code) {
    if (!is_noted(address, size, kAtomic, code))
        note(current, address, size, kAtomic, code);
}
/* In functions of the C library that copy and compare: accesses are the program's if it made the
 * call. The place is that of the call. */
static Addr caller = 0;
static VG_REGPARM(3) void on_allowed_read(Addr address, UWord size, Addr code) {
    (void)code;
    if (current->in_allowed)
        on_read(address, size, caller);
}
static VG_REGPARM(3) void on_allowed_write(Addr address, UWord size, Addr code) {
    (void)code;
    if (current->in_allowed)
        on_write(address, size, caller);
}

/* These functions read vectors, so also what lies behind the end of a string. A call has at most
 * two strings. */
enum { kFar = 256 };
static VG_REGPARM(3) void on_string_read(Addr address, UWord size, Addr code) {
    (void)code;
    if (!current->in_allowed || !VG_(am_is_valid_for_client)(address, size, VKI_PROT_READ))
        return;
    for (UInt i = 0; i < 2; ++i)
        if (address > current->string_ends[i] && address - current->string_ends[i] < kFar)
            return;
    const HChar *byte = (const HChar *)address;
    for (UWord i = 0; i < size; ++i)
        if (byte[i] == '\0') {
            if (current->string_ends[0] != address + i) {
                current->string_ends[1] = current->string_ends[0];
                current->string_ends[0] = address + i;
            }
            size = i + 1;
        }
    on_read(address, size, caller);
}

/* The answers for callers of copying functions, by address. */
enum { kCallers = 1 << 12 };
static struct {
    Addr code;
    UInt kind;
} callers[kCallers];

/* A task may end with a jump to the function: then the return address is the runtime's, at the top
 * of the task's frames. */
static VG_REGPARM(2) void on_copying(Addr return_address, Addr stack_pointer) {
    const UInt at = (UInt)(return_address * 0x9E3779B97F4A7C15ULL >> 52);
    if (callers[at].code != return_address) {
        callers[at].code = return_address;
        callers[at].kind = examined(return_address);
    }
    if (callers[at].kind >= kCopies)
        return; /* one calls the other */
    current->string_ends[0] = current->string_ends[1] = 0;
    current->in_allowed = callers[at].kind == kExamined;
    caller = return_address - 1;
    if (!current->in_allowed && !current->enters && current->function != 0 &&
        stack_pointer + sizeof(Addr) == current->stack_end) {
        current->in_allowed = True;
        caller = current->function;
    }
}

/* --- Calls ------------------------------------------------------------------------------------ */

typedef VG_REGPARM(3) void (*Helper)(Addr, UWord, Addr);

static void call_with(IRSB *out, const HChar *name, Helper helper, IRExpr *address, Int size,
                      Addr code, IRExpr *guard) {
    IRExpr **arguments =
        mkIRExprVec_3(address, mkIRExpr_HWord((HWord)size), mkIRExpr_HWord((HWord)code));
    IRDirty *call = unsafeIRDirty_0_N(3, name, VG_(fnptr_to_fnentry)(helper), arguments);
    if (guard != NULL)
        call->guard = guard;
    addStmtToIRSB(out, IRStmt_Dirty(call));
}

static void add_read(IRSB *out, UInt kind, IRExpr *address, Int size, Addr code, IRExpr *guard) {
    const Helper helper = kind == kReadsStrings ? on_string_read
                          : kind == kCopies     ? on_allowed_read
                                                : on_read;
    call_with(out, "on_read", helper, address, size, code, guard);
}
static void add_write(IRSB *out, UInt kind, IRExpr *address, Int size, Addr code, IRExpr *guard) {
    call_with(out, "on_write", kind >= kCopies ? on_allowed_write : on_write, address, size, code,
              guard);
}

/* True if an instruction, whose mark is the statement before `i`, reads and writes as one: its load
 * is a part of that. */
static Bool is_atomic(const IRSB *block, Int i) {
    for (; i < block->stmts_used && block->stmts[i]->tag != Ist_IMark; ++i)
        if (block->stmts[i]->tag == Ist_CAS)
            return True;
    return False;
}

IRSB *instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
                 const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
                 IRType host_word) {
    (void)closure, (void)extents, (void)host, (void)guest_word, (void)host_word;
    IRSB *out = deepCopyIRSBExceptStmts(in);
    UInt kind = kExcluded;
    Addr code = 0;
    Bool atomic = False; /* the instruction */
    Bool first = True;   /* a call leads to the first instruction of a block */
    for (Int i = 0; i < in->stmts_used; ++i) {
        IRStmt *statement = in->stmts[i];
        if (statement == NULL || statement->tag == Ist_NoOp)
            continue;
        if (statement->tag == Ist_IMark) {
            code = statement->Ist.IMark.addr;
            kind = examined(code);
            atomic = is_atomic(in, i + 1);
            const HChar *function = NULL;
            const Bool may_be_entry = kind == kExamined && first &&
                                      !VG_(get_fnname)(VG_(current_DiEpoch)(), code, &function);
            first = False;
            if (may_be_entry ||
                (kind != kExcluded &&
                 VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), code, &function))) {
                addStmtToIRSB(out, statement);
                IRTemp stack = newIRTemp(out->tyenv, Ity_I64);
                addStmtToIRSB(out, IRStmt_WrTmp(stack, IRExpr_Get(layout->offset_SP, Ity_I64)));
                if (kind == kExamined) {
                    addStmtToIRSB(
                        out, IRStmt_Dirty(unsafeIRDirty_0_N(
                                 2, "on_function", VG_(fnptr_to_fnentry)(on_function),
                                 mkIRExprVec_2(IRExpr_RdTmp(stack), mkIRExpr_HWord((HWord)code)))));
                    continue;
                }
                IRTemp back = newIRTemp(out->tyenv, Ity_I64);
                addStmtToIRSB(
                    out, IRStmt_WrTmp(back, IRExpr_Load(Iend_LE, Ity_I64, IRExpr_RdTmp(stack))));
                addStmtToIRSB(out, IRStmt_Dirty(unsafeIRDirty_0_N(
                                       2, "on_copying", VG_(fnptr_to_fnentry)(on_copying),
                                       mkIRExprVec_2(IRExpr_RdTmp(back), IRExpr_RdTmp(stack)))));
                continue;
            }
        }
        if (kind == kExcluded) {
            addStmtToIRSB(out, statement);
            continue;
        }
        switch (statement->tag) {
        case Ist_WrTmp: {
            const IRExpr *data = statement->Ist.WrTmp.data;
            if (data->tag == Iex_Load && !atomic)
                add_read(out, kind, data->Iex.Load.addr, sizeofIRType(data->Iex.Load.ty), code,
                         NULL);
            break;
        }
        case Ist_Store: {
            const IRExpr *data = statement->Ist.Store.data;
            add_write(out, kind, statement->Ist.Store.addr,
                      sizeofIRType(typeOfIRExpr(in->tyenv, data)), code, NULL);
            break;
        }
        case Ist_StoreG: {
            const IRStoreG *store = statement->Ist.StoreG.details;
            add_write(out, kind, store->addr, sizeofIRType(typeOfIRExpr(in->tyenv, store->data)),
                      code, store->guard);
            break;
        }
        case Ist_LoadG: {
            const IRLoadG *load = statement->Ist.LoadG.details;
            IRType wide = Ity_INVALID, narrow = Ity_INVALID;
            typeOfIRLoadGOp(load->cvt, &wide, &narrow);
            add_read(out, kind, load->addr, sizeofIRType(narrow), code, load->guard);
            break;
        }
        case Ist_Dirty: {
            const IRDirty *dirty = statement->Ist.Dirty.details;
            if (dirty->mFx == Ifx_Read || dirty->mFx == Ifx_Modify)
                add_read(out, kind, dirty->mAddr, dirty->mSize, code, dirty->guard);
            if (dirty->mFx == Ifx_Write || dirty->mFx == Ifx_Modify)
                add_write(out, kind, dirty->mAddr, dirty->mSize, code, dirty->guard);
            break;
        }
        case Ist_CAS: {
            const IRCAS *swap = statement->Ist.CAS.details;
            const Int size = sizeofIRType(typeOfIRExpr(in->tyenv, swap->dataLo));
            call_with(out, "on_atomic", on_atomic, swap->addr,
                      swap->dataHi != NULL ? 2 * size : size, code, NULL);
            break;
        }
        default:
            break;
        }
        addStmtToIRSB(out, statement);
    }
    return out;
}
